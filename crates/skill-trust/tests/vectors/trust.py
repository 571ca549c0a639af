"""A second implementation of the trust formats, written from docs/FORMAT.md alone.

    python3 trust.py make           prints the vectors, which trust.json holds
    python3 trust.py check < INPUT  checks a root chain and a trust envelope made elsewhere
    python3 trust.py judge < INPUT  says of many envelopes what each adds up to

Only the standard library is used, and nothing of the Rust code.
"""

import base64
import functools
import hashlib
import json
import sys

import ed25519 as ed
import edges
import meaning

STATEMENT = "application/vnd.in-toto+json"
ROOT = "application/vnd.skill-registry.root+json"
ROLES = ["root", "release", "scan", "restrict", "restore", "index", "log", "timestamp"]
SIGNER = {
    "release": "release",
    "name": "release",
    "scan": "scan",
    "restriction": "restrict",
    "restoration": "restore",
    "publisher-reset": "restore",
}


def b64(data):
    return base64.b64encode(data).decode()


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def strict(data):
    """JSON in which no key stands twice."""

    def pairs(items):
        if len({key for key, _ in items}) != len(items):
            raise ValueError("a key stands twice")
        return dict(items)

    return json.loads(data, object_pairs_hook=pairs)


def pae(payload_type, payload):
    kind = payload_type.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def key_id(public):
    return sha256(public)


def envelope(payload_type, payload, seeds):
    signatures = []
    for seed in sorted(seeds, key=lambda seed: key_id(ed.public(seed))):
        signature = ed.sign(seed, pae(payload_type, payload))
        signatures.append({"keyid": key_id(ed.public(seed)), "sig": b64(signature)})
    return {"payload": b64(payload), "payloadType": payload_type, "signatures": signatures}


def leaf(kind, dsse):
    data = f"{kind} {sha256(compact(dsse))}\n".encode()
    return data.decode(), sha256(b"\x00" + data)


# --- making ---------------------------------------------------------------------------------


def seed_of(role):
    return hashlib.sha256(b"vector seed " + role.encode()).digest()


def make_root():
    publics = {role: ed.public(seed_of(role)) for role in ROLES}
    keys = sorted((key_id(public), public) for public in publics.values())
    payload = {
        "schema": "skill.root.v1",
        "version": 1,
        "custody": "co-located",
        "createdAt": "2026-11-30T12:00:00Z",
        "expiresAt": "2036-11-30T12:00:00Z",
        "timestampValiditySeconds": 604800,
        "keys": {kid: {"keytype": "ed25519", "public": b64(public)} for kid, public in keys},
        "roles": {
            role: {
                "threshold": 1,
                "keys": [{"keyid": key_id(publics[role]), "from": 0, "until": None}],
            }
            for role in ROLES
        },
    }
    return compact(envelope(ROOT, compact(payload), [seed_of("root")]))


def statement(kind, subject, predicate):
    payload = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [subject],
        "predicateType": f"urn:skill-registry:predicate:{kind}:v1",
        "predicate": predicate,
    }
    return envelope(STATEMENT, compact(payload), [seed_of(SIGNER[kind])])


def make_statements(registry):
    name = {"registry": registry, "owner": "acme", "slug": "github"}
    release = name | {"version": "3.4.1"}
    subject = {
        "name": "acme/github@3.4.1",
        "digest": {"sha256": sha256(b"archive"), "skillTreeV1": sha256(b"tree")},
    }
    yield "name", statement(
        "name",
        {"name": "acme/github", "digest": {"sha256": sha256(f"{registry}/acme/github".encode())}},
        name | {"action": {"type": "claim", "bareSlug": True}, "at": "2026-11-30T12:01:00Z"},
    )
    yield "release", statement(
        "release",
        subject,
        release
        | {
            "previous": {"version": "3.4.0", "statement": sha256(b"statement")},
            "requirements": {"acme/git-basics": "^1.2.0"},
            "publisher": "acme",
            "sourceCommit": "5f2c9ab04d11",
            "archiveSize": 42189,
            "publishedAt": "2026-11-30T12:01:00.25Z",
        },
    )
    yield "scan", statement(
        "scan",
        subject,
        release
        | {
            "scanner": {"name": "skill-scan", "version": "0.1.0"},
            "ruleset": {"name": "2026.11.1", "sha256": sha256(b"rules")},
            "verdict": "clean",
            "findings": sha256(b"skill-findings-v1\n"),
            "analysable": True,
            "scannedAt": "2026-11-30T12:01:00Z",
        },
    )
    yield "restriction", statement(
        "restriction",
        subject,
        release
        | {
            "action": "takedown",
            "scope": "bytes",
            "reason": "steals credentials",
            "sequence": 41,
            "at": "2026-11-30T13:00:00Z",
        },
    )
    yield "restoration", statement(
        "restoration",
        subject,
        release
        | {"lifts": 41, "reason": "a false alarm", "sequence": 42, "at": "2026-11-30T14:00:00Z"},
    )


def make():
    root = make_root()
    registry = sha256(root)
    statements = list(make_statements(registry))
    weak, universal = edges.universal()
    return {
        "pae": [
            {"type": t, "payload": p, "encoding": pae(t, p.encode()).decode()}
            for t, p in [
                ("http://example.com/HelloWorld", "hello world"),
                ("", ""),
                ("text/plain; charset=utf-8", "snow ☃"),
                ("a 1 b", "DSSEv1 1 a 1 b"),
            ]
        ],
        "keys": [
            {"role": role, "seed": b64(seed_of(role)), "public": b64(p), "keyid": key_id(p)}
            for role in ROLES
            for p in [ed.public(seed_of(role))]
        ],
        "edgeKeys": [{"name": n, "public": b64(k), "good": g} for n, k, g in edges.keys()],
        "edgeMessage": edges.MESSAGE.decode(),
        "edgePublic": b64(ed.public(edges.SEED)),
        "edgeSignatures": [
            {"name": n, "sig": b64(s), "good": g} for n, s, g in edges.signatures()
        ],
        "universal": {"public": b64(weak), "sig": b64(universal)},
        "registry": registry,
        "root": root.decode(),
        "statements": [
            dict(zip(["kind", "dsse", "leaf", "leafHash"], (kind, dsse, *leaf(kind, dsse))))
            for kind, dsse in statements
        ],
        "envelope": compact(
            {
                "schema": "skill.trust-envelope.v1",
                "statements": [
                    {"kind": kind, "logIndex": 1841 + i, "dsse": dsse}
                    for i, (kind, dsse) in enumerate(statements)
                    if kind != "name"
                ],
            }
        ).decode(),
    }


# --- checking -------------------------------------------------------------------------------


class Wrong(ValueError):
    """What does not hold, and the word for it."""

    def __init__(self, what, word):
        super().__init__(what)
        self.word = word


def demand(truth, what, word=None):
    if not truth:
        raise Wrong(what, word or what)


def open_dsse(text, payload_type):
    dsse = strict(text)
    demand(list(dsse) == ["payload", "payloadType", "signatures"], "keys of a DSSE envelope")
    demand(compact(dsse) == text, "spelling of a DSSE envelope")
    demand(dsse["payloadType"] == payload_type, "payload type")
    return base64.b64decode(dsse["payload"], validate=True), dsse["signatures"]


def signers(payload_type, payload, signatures, keys, verify=ed.verify):
    """The ids of the keys that signed; every signature must be right."""
    found = []
    for signature in signatures:
        kid = signature["keyid"]
        demand(kid in keys, f"key {kid} is unknown", "unknown-key")
        demand(key_id(keys[kid]) == kid, f"key {kid} has another id")
        right = verify(keys[kid], pae(payload_type, payload), base64.b64decode(signature["sig"]))
        demand(right, f"signature by {kid}", "signature")
        found.append(kid)
    demand(found == sorted(set(found)), "order of signatures")
    return found


def role_ids(root, role):
    return {entry["keyid"] for entry in root["roles"][role]["keys"]}


def check_root(chain, registry):
    demand(sha256(chain[0]) == registry, "registry id")
    previous, keys = None, {}
    for number, text in enumerate(chain, 1):
        payload, signatures = open_dsse(text, ROOT)
        root = strict(payload)
        demand(root["schema"] == "skill.root.v1" and root["version"] == number, "version")
        demand(sorted(root["roles"]) == sorted(ROLES), "roles")
        keys |= {kid: base64.b64decode(k["public"]) for kid, k in root["keys"].items()}
        ids = set(signers(ROOT, payload, signatures, keys))
        for version in filter(None, [root, previous]):
            count = len(ids & role_ids(version, "root"))
            demand(count >= version["roles"]["root"]["threshold"], "root threshold")
        previous = root
    return previous


def open_statement(entry, root, right):
    """What one entry says, if whoever may say it signed it."""
    kind, dsse = entry["kind"], entry["dsse"]
    payload, signatures = open_dsse(compact(dsse), STATEMENT)
    demand(kind in SIGNER, "unexpected")
    role = root["roles"][SIGNER[kind]]
    keys = {kid: base64.b64decode(k["public"]) for kid, k in root["keys"].items()}
    ranges = {k["keyid"]: k for k in role["keys"]}
    ids = signers(STATEMENT, payload, signatures, keys, right)
    for kid in ids:
        demand(kid in ranges, f"{kid} does not serve {SIGNER[kind]}", "role")
        last = ranges[kid]["until"]
        inside = ranges[kid]["from"] <= entry["logIndex"] and (last is None or entry["logIndex"] <= last)
        demand(inside, "range of key", "key-out-of-range")
    demand(len(ids) >= role["threshold"], "threshold")
    body = strict(payload)
    demand(body["_type"] == "https://in-toto.io/Statement/v1", "_type")
    demand(body["predicateType"] == f"urn:skill-registry:predicate:{kind}:v1", "predicateType", "other-kind")
    predicate = body["predicate"]
    [subject] = body["subject"]
    name = "/".join(predicate[part] for part in ("owner", "slug") if part in predicate)
    if "version" in predicate:
        demand("skillTreeV1" in subject["digest"], "digests of the subject")
        name += "@" + predicate["version"]
    else:
        digest = {"sha256": sha256(f"{predicate['registry']}/{name}".encode())}
        demand(subject["digest"] == digest, "digests of the subject")
    demand(subject["name"] == name, "name of the subject")
    return kind, entry["logIndex"], predicate, subject


def open_envelope(text, root, right):
    demand(len(text) <= 8192, "size of the trust envelope")
    trust = strict(text)
    demand(compact(trust) == text, "spelling of the trust envelope")
    demand(trust["schema"] == "skill.trust-envelope.v1", "schema")
    indexes = [entry["logIndex"] for entry in trust["statements"]]
    demand(indexes == sorted(set(indexes)), "order of leaves")
    return [open_statement(entry, root, right) for entry in trust["statements"]]


def judge(given):
    """For each envelope what it adds up to, or the word for what is wrong with it."""
    registry = given["registry"]
    root = check_root([text.encode() for text in given["roots"]], registry)

    @functools.cache
    def right(*signed):
        return ed.verify(*signed)

    def outcome(asked):
        try:
            statements = open_envelope(asked["envelope"].encode(), root, right)
            name = tuple(asked["name"].split("/"))
            return meaning.add_up(statements, registry, name, asked["version"])
        except Wrong as wrong:
            return {"refused": wrong.word}
        except meaning.Refused as refused:
            return {"refused": str(refused)}

    return [outcome(asked) for asked in given["asked"]]


def check(given):
    root = check_root([text.encode() for text in given["roots"]], given["registry"])
    text = given["envelope"].encode()
    statements = open_envelope(text, root, ed.verify)
    name, version = given["name"], given["version"]
    return meaning.add_up(statements, given["registry"], tuple(name.split("/")), version) | {
        "subject": next(subject for kind, _, _, subject in statements if kind == "release"),
        "rootVersion": root["version"],
        "leaves": [leaf(entry["kind"], entry["dsse"])[1] for entry in strict(text)["statements"]],
    }


if __name__ == "__main__":
    if sys.argv[1:] == ["make"]:
        print(json.dumps(make(), indent=1, ensure_ascii=False))
    elif sys.argv[1:] == ["check"]:
        print(json.dumps(check(json.load(sys.stdin))))
    elif sys.argv[1:] == ["judge"]:
        print(json.dumps(judge(json.load(sys.stdin))))
    else:
        sys.exit(__doc__)
