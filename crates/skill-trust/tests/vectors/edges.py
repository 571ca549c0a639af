"""Keys and signatures at the edges of Ed25519, each derived here from the curve."""

import ed25519 as ed

SEED = bytes(range(32))
MESSAGE = b"edge"


def torsion_generator():
    """A point of order 8: what is left of some point when its prime-order part is gone."""
    y = 2
    while True:
        x = ed.x_of(y, 0)
        if x is not None:
            point = ed.multiply(ed.L, (x, y))
            if ed.multiply(4, point) != ed.IDENTITY:
                return point
        y += 1


def other_spelling(point):
    """Every encoding of `point` that is not its canonical one."""
    x, y = point
    signs = (0, 1) if x == 0 else (x & 1,)
    ys = (y, y + ed.P) if y + ed.P < 2**255 else (y,)
    spellings = [(v | s << 255).to_bytes(32, "little") for v in ys for s in signs]
    return [s for s in spellings if s != ed.encode(point)]


def keys():
    """(name, public bytes, whether it is a good key)"""
    yield "an honest key", ed.public(SEED), True
    eight = torsion_generator()
    for n in range(8):
        point = ed.multiply(n, eight)
        yield f"order-8 generator times {n}", ed.encode(point), False
        for i, spelling in enumerate(other_spelling(point)):
            yield f"order-8 generator times {n}, other spelling {i}", spelling, False
    for y in range(19):
        for sign in (0, 1):
            x = ed.x_of(y, sign)
            if x is not None and not ed.small_order((x, y)):
                spelling = (y + ed.P | sign << 255).to_bytes(32, "little")
                yield f"y = p + {y}, sign {sign}", spelling, False
    honest = ed.decode(ed.public(SEED))
    yield "an honest key plus a point of order 8", ed.encode(ed.add(honest, eight)), False
    y = next(y for y in range(2, 99) if ed.x_of(y, 0) is None)
    yield "no point of the curve", y.to_bytes(32, "little"), False


def signatures():
    """(name, signature over MESSAGE by SEED's key, whether it counts)"""
    key = ed.public(SEED)
    scalar, _ = ed.expand(SEED)
    good = ed.sign(SEED, MESSAGE)
    r, s = good[:32], int.from_bytes(good[32:], "little")
    yield "an honest signature", good, True
    n = 1
    while s + n * ed.L < 2**256:
        yield f"S plus {n} times L", r + (s + n * ed.L).to_bytes(32, "little"), False
        n += 1
    yield "S with its top bit set", r + (s | 1 << 255).to_bytes(32, "little"), False
    yield "S negated", r + (ed.L - s).to_bytes(32, "little"), False
    yield "R negated", (int.from_bytes(r, "little") ^ 1 << 255).to_bytes(32, "little") + good[32:], False
    yield "all zero", bytes(64), False

    def with_r(spelling):
        """S for the nonce 0, so that the equation holds with R = identity."""
        return spelling + (ed.challenge(spelling, key, MESSAGE) * scalar % ed.L).to_bytes(32, "little")

    identity = ed.encode(ed.IDENTITY)
    assert ed.equation(key, MESSAGE, with_r(identity))
    yield "R is the identity", with_r(identity), False
    for i, spelling in enumerate(other_spelling(ed.IDENTITY)):
        yield f"R is the identity, other spelling {i}", with_r(spelling), False

    eight = torsion_generator()
    nonce = 5
    r = ed.encode(ed.add(ed.multiply(nonce, ed.BASE), eight))
    s = (nonce + ed.challenge(r, key, MESSAGE) * scalar) % ed.L
    mixed = r + s.to_bytes(32, "little")
    assert ed.equation(key, MESSAGE, mixed, cofactor=8) and not ed.equation(key, MESSAGE, mixed)
    yield "R has a torsion part: only a cofactored verifier takes it", mixed, False


def universal():
    """A signature that the bare equation takes for nearly every message under a weak key."""
    weak = ed.encode(ed.IDENTITY)
    nonce = 7
    r = ed.encode(ed.multiply(nonce, ed.BASE))
    signature = r + nonce.to_bytes(32, "little")
    assert ed.equation(weak, MESSAGE, signature) and ed.equation(weak, b"another", signature)
    return weak, signature
