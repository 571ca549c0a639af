"""Ed25519 as RFC 8032 describes it, from the standard library alone.

Slow and not constant in time: it is the second opinion of a test, never a signer of anything
real. `verify` is strict in the sense of docs/FORMAT.md.
"""

import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
IDENTITY = (0, 1)


def add(a, b):
    """The complete addition law of the twisted Edwards curve, in affine coordinates."""
    (x1, y1), (x2, y2) = a, b
    t = D * x1 * x2 * y1 * y2 % P
    x3 = (x1 * y2 + x2 * y1) * pow(1 + t, P - 2, P)
    y3 = (y1 * y2 + x1 * x2) * pow(1 - t, P - 2, P)
    return x3 % P, y3 % P


def multiply(scalar, point):
    """`scalar` times `point`, by doubling in projective coordinates."""
    total, step = (0, 1, 1), (point[0], point[1], 1)
    while scalar:
        if scalar & 1:
            total = _add_projective(total, step)
        step = _add_projective(step, step)
        scalar >>= 1
    inverse = pow(total[2], P - 2, P)
    return total[0] * inverse % P, total[1] * inverse % P


def _add_projective(a, b):
    (x1, y1, z1), (x2, y2, z2) = a, b
    z = z1 * z2 % P
    zz, xx, yy = z * z % P, x1 * x2 % P, y1 * y2 % P
    t = D * xx * yy % P
    f, g = (zz - t) % P, (zz + t) % P
    x3 = z * f * ((x1 + y1) * (x2 + y2) - xx - yy) % P
    y3 = z * g * (yy + xx) % P
    return x3, y3, f * g % P


def x_of(y, sign):
    """The x that belongs to `y`, or None if no point of the curve has it."""
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P:
        return None
    if x & 1 != sign:
        x = -x % P
    return x


BASE = (x_of(4 * pow(5, P - 2, P) % P, 0), 4 * pow(5, P - 2, P) % P)


def encode(point):
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def decode(data):
    """The point with this encoding, canonical or not; None if there is none."""
    number = int.from_bytes(data, "little")
    y, sign = number & (1 << 255) - 1, number >> 255
    x = x_of(y % P, sign)
    return None if x is None else (x, y % P)


def small_order(point):
    return multiply(8, point) == IDENTITY


def _scalar(data):
    return int.from_bytes(data, "little")


def expand(seed):
    digest = hashlib.sha512(seed).digest()
    scalar = _scalar(digest[:32])
    scalar &= (1 << 254) - 8
    scalar |= 1 << 254
    return scalar, digest[32:]


def public(seed):
    return encode(multiply(expand(seed)[0], BASE))


def challenge(r, key, message):
    return _scalar(hashlib.sha512(r + key + message).digest()) % L


def sign(seed, message):
    scalar, prefix = expand(seed)
    key = public(seed)
    nonce = _scalar(hashlib.sha512(prefix + message).digest()) % L
    r = encode(multiply(nonce, BASE))
    s = (nonce + challenge(r, key, message) * scalar) % L
    return r + s.to_bytes(32, "little")


def good_key(key):
    """Canonical, of more than small order, without a torsion part."""
    point = decode(key)
    if point is None or encode(point) != key or small_order(point):
        return False
    return multiply(L, point) == IDENTITY


def equation(key, message, signature, cofactor=1):
    """The bare equation, with everything that strictness adds left out."""
    a, r = decode(key), decode(signature[:32])
    if a is None or r is None:
        return False
    s = _scalar(signature[32:])
    k = challenge(signature[:32], key, message)
    left = multiply(cofactor * s, BASE)
    return left == multiply(cofactor, add(r, multiply(k, a)))


def verify(key, message, signature):
    if len(signature) != 64 or _scalar(signature[32:]) >= L or not good_key(key):
        return False
    r = decode(signature[:32])
    if r is None or encode(r) != signature[:32] or small_order(r):
        return False
    return equation(key, message, signature)
