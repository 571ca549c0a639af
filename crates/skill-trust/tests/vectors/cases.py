"""Envelopes about one skill that was renamed, transferred, restricted and restored, right and wrong.

    python3 cases.py    prints the cases, which cases.json holds

Each statement stands once, with its leaf; a case says which of them an envelope holds, what is asked
for, and what it adds up to (or the one word for what is wrong with it).
"""

import json

import ed25519 as ed
import trust

REGISTRY = trust.sha256(trust.make_root())
ELSEWHERE = trust.sha256(b"another registry")
CONTENT = {"sha256": trust.sha256(b"archive"), "skillTreeV1": trust.sha256(b"tree")}


def signed(kind, predicate, seed=None):
    name = "{owner}/{slug}".format(**predicate)
    digest = {"sha256": trust.sha256(f"{predicate['registry']}/{name}".encode())}
    if "version" in predicate:
        name, digest = f"{name}@{predicate['version']}", CONTENT
    payload = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": digest}],
        "predicateType": f"urn:skill-registry:predicate:{kind}:v1",
        "predicate": predicate,
    }
    seed = seed or trust.seed_of(trust.SIGNER[kind])
    return kind, trust.envelope(trust.STATEMENT, trust.compact(payload), [seed])


def about(name, registry=REGISTRY):
    owner, slug = name.split("/")
    return {"registry": registry, "owner": owner, "slug": slug}


def said(name, action, seed=None, registry=REGISTRY):
    predicate = about(name, registry) | {"action": action, "at": "2026-12-01T09:00:00Z"}
    return signed("name", predicate, seed)


def claim(name):
    return said(name, {"type": "claim", "bareSlug": True})


def target(name):
    return {"target": dict(zip(["owner", "slug"], name.split("/")))}


def alias(name, to, **how):
    return said(name, {"type": "alias"} | target(to), **how)


def merge(name, to):
    return said(name, {"type": "merge"} | target(to))


def transfer(name, to):
    return said(name, {"type": "transfer", "to": to, "consentedAt": "2026-11-30T09:00:00Z"})


def release(name, version="3.4.1"):
    fields = {"version": version, "requirements": {}, "publisher": name.split("/")[0], "archiveSize": 42189}
    return signed("release", about(name) | fields | {"publishedAt": "2026-11-30T12:01:00Z"})


def scan(name, verdict="clean"):
    return signed(
        "scan",
        about(name)
        | {
            "version": "3.4.1",
            "scanner": {"name": "skill-scan", "version": "0.1.0"},
            "ruleset": {"name": "2026.11.1", "sha256": trust.sha256(b"rules")},
            "verdict": verdict,
            "findings": trust.sha256(b"skill-findings-v1\n" + verdict.encode()),
            "analysable": True,
            "scannedAt": "2026-11-30T12:01:00Z",
        },
    )


def restriction(name, action, sequence, **scope):
    fields = {"version": "3.4.1", "action": action} | scope
    fields |= {"reason": "because", "sequence": sequence, "at": "2026-11-30T13:00:00Z"}
    return signed("restriction", about(name) | fields)


def restoration(name, lifts, sequence, seed=None):
    fields = {"version": "3.4.1", "lifts": lifts, "reason": "a false alarm", "sequence": sequence}
    return signed("restoration", about(name) | fields | {"at": "2026-11-30T14:00:00Z"}, seed)


def forged():
    """Changed after it was signed: the signature is of another alias."""
    kind, right = alias("acme/github", "acme/gh")
    return kind, alias("acme/github", "evil/gh")[1] | {"signatures": right["signatures"]}


THIEF = trust.seed_of("a thief")

# acme/github is published, renamed acme/gh, transferred to octo, renamed octo/tools, transferred to zed.
# acme/other and evil/gadget are other skills. (label, leaf, statement)
STATEMENTS = [
    ("claim github", 100, claim("acme/github")),
    ("release", 101, release("acme/github")),
    ("scan", 102, scan("acme/github")),
    ("malicious", 103, scan("acme/github", "malicious")),
    ("other release", 104, release("acme/other")),
    ("gadget release", 105, release("evil/gadget")),
    ("yank", 110, restriction("acme/github", "yank", 1)),
    ("withdraw", 111, restriction("acme/github", "withdraw", 2)),
    ("delete", 112, restriction("acme/github", "delete", 3)),
    ("undelete", 113, restriction("acme/github", "undelete", 4)),
    ("withdraw again", 114, restriction("acme/github", "withdraw", 5)),
    ("quarantine", 120, restriction("acme/github", "quarantine", 11)),
    ("takedown", 121, restriction("acme/github", "takedown", 12, scope="bytes")),
    ("restore 12", 122, restoration("acme/github", 12, 13)),
    ("restore 11", 123, restoration("acme/github", 11, 14)),
    ("restore 1", 124, restoration("acme/github", 1, 15)),
    ("restore 2", 125, restoration("acme/github", 2, 15)),
    ("restore 99", 126, restoration("acme/github", 99, 15)),
    ("restore by restrict", 127, restoration("acme/github", 11, 15, trust.seed_of("restrict"))),
    ("malicious again", 130, scan("acme/github", "malicious")),
    ("quarantine again", 131, restriction("acme/github", "quarantine", 16)),
    ("claim gh", 200, claim("acme/gh")),
    ("github > gh", 201, alias("acme/github", "acme/gh")),
    ("scan gh", 210, scan("acme/gh", "suspicious")),
    ("yank gh", 211, restriction("acme/gh", "yank", 21)),
    ("release after", 220, release("acme/github")),
    ("by a thief", 230, alias("acme/github", "acme/gh", seed=THIEF)),
    ("by scan", 231, alias("acme/github", "acme/gh", seed=trust.seed_of("scan"))),
    ("forged", 232, forged()),
    ("elsewhere", 233, alias("acme/github", "acme/gh", registry=ELSEWHERE)),
    ("github merged", 240, merge("acme/github", "acme/gh")),
    ("github > evil", 250, alias("acme/github", "evil/gadget")),
    ("github > github", 251, alias("acme/github", "acme/github")),
    ("gh > github", 252, alias("acme/gh", "acme/github")),
    ("gh > tools", 253, alias("acme/gh", "acme/tools")),
    ("other to octo", 260, transfer("acme/other", "octo")),
    ("claim other", 261, claim("acme/other")),
    ("gh to octo", 300, transfer("acme/gh", "octo")),
    ("github > octo/gh", 301, alias("acme/github", "octo/gh")),
    ("gh > octo/gh", 302, alias("acme/gh", "octo/gh")),
    ("github > octo/tools", 400, alias("acme/github", "octo/tools")),
    ("gh > octo/tools", 401, alias("acme/gh", "octo/tools")),
    ("tools to zed", 500, transfer("octo/tools", "zed")),
    ("github > zed/tools", 501, alias("acme/github", "zed/tools")),
    ("gh > zed/tools", 502, alias("acme/gh", "zed/tools")),
    ("octo/tools > zed/tools", 503, alias("octo/tools", "zed/tools")),
    ("gh to octo too late", 510, transfer("acme/gh", "octo")),
]

BASIC = ["release", "scan"]
ZED = ["github > zed/tools", "gh > zed/tools", "octo/tools > zed/tools", "gh to octo", "tools to zed"]
# (what it shows, the name asked for, the labels)
CASES = [
    ("as it was published", "acme/github", BASIC),
    ("with the claim", "acme/github", [*BASIC, "claim github"]),
    ("another slug", "acme/other", BASIC),
    ("another owner", "octo/github", BASIC),
    ("renamed", "acme/gh", [*BASIC, "github > gh"]),
    ("renamed, with both claims", "acme/gh", [*BASIC, "claim github", "claim gh", "github > gh"]),
    ("renamed, asked for by the older name", "acme/github", [*BASIC, "github > gh"]),
    ("renamed, and spoken of by both names", "acme/gh", [*BASIC, "github > gh", "scan gh", "yank gh"]),
    ("the same, by the older name", "acme/github", [*BASIC, "github > gh", "scan gh", "yank gh"]),
    ("renamed, without its alias", "acme/gh", BASIC),
    ("renamed, asked for by a third name", "acme/other", [*BASIC, "github > gh"]),
    ("another's release beside the alias", "acme/gh", ["other release", "scan", "github > gh"]),
    ("published under a name that led elsewhere", "acme/gh", ["scan", "github > gh", "release after"]),
    ("an alias by a key that no root lists", "acme/gh", [*BASIC, "by a thief"]),
    ("an alias by another role", "acme/gh", [*BASIC, "by scan"]),
    ("an alias that was changed", "evil/gh", [*BASIC, "forged"]),
    ("an alias of another registry", "acme/gh", [*BASIC, "elsewhere"]),
    ("merged, which carries no release", "acme/gh", [*BASIC, "github merged"]),
    ("merged, asked for by its own name", "acme/github", [*BASIC, "github merged"]),
    ("an alias to a stranger", "evil/gadget", [*BASIC, "github > evil"]),
    ("an alias of this name to a stranger", "acme/github", [*BASIC, "github > evil"]),
    ("a stranger's release by that alias", "acme/github", ["scan", "gadget release", "github > evil"]),
    ("two aliases of one name", "acme/gh", [*BASIC, "github > gh", "github > evil"]),
    ("one claim twice", "acme/github", [*BASIC, "claim github", "claim github 2"]),
    ("an alias to itself", "acme/github", [*BASIC, "github > github"]),
    ("a circle", "acme/gh", [*BASIC, "github > gh", "gh > github"]),
    ("two hops", "acme/tools", [*BASIC, "github > gh", "gh > tools"]),
    ("two hops, asked for in the middle", "acme/gh", [*BASIC, "github > gh", "gh > tools"]),
    ("two ends", "acme/gh", [*BASIC, "github > gh", "octo/tools > zed/tools", "gh to octo", "tools to zed"]),
    ("a claim of another name", "acme/gh", [*BASIC, "github > gh", "claim other"]),
    ("transferred", "octo/gh", [*BASIC, "gh to octo", "github > octo/gh", "gh > octo/gh"]),
    ("transferred, by an older name", "acme/github", [*BASIC, "gh to octo", "github > octo/gh", "gh > octo/gh"]),
    ("transferred without consent", "octo/gh", [*BASIC, "github > octo/gh"]),
    ("another skill's consent", "octo/gh", [*BASIC, "other to octo", "github > octo/gh"]),
    ("consent for a name that is not tied", "octo/gh", [*BASIC, "gh to octo", "github > octo/gh"]),
    ("a transfer alone", "octo/gh", [*BASIC, "gh to octo"]),
    ("transferred and renamed", "octo/tools", [*BASIC, "gh to octo", "github > octo/tools", "gh > octo/tools"]),
    ("transferred twice", "zed/tools", [*BASIC, *ZED]),
    ("transferred twice, the first without consent", "zed/tools", [*BASIC, *(set(ZED) - {"gh to octo"})]),
    ("transferred twice, the second without consent", "zed/tools", [*BASIC, *(set(ZED) - {"tools to zed"})]),
    ("given away before it was had", "zed/tools", [*BASIC, *(set(ZED) - {"gh to octo"}), "gh to octo too late"]),
    ("yanked", "acme/github", [*BASIC, "yank"]),
    ("yanked under the older name", "acme/gh", [*BASIC, "yank", "github > gh"]),
    ("undelete undoes withdraw and delete", "acme/github", [*BASIC, "withdraw", "delete", "undelete"]),
    ("undelete undoes no yank", "acme/github", [*BASIC, "yank", "delete", "undelete"]),
    ("withdrawn anew", "acme/github", [*BASIC, "withdraw", "delete", "undelete", "withdraw again"]),
    ("quarantined", "acme/github", [*BASIC, "quarantine"]),
    ("malicious", "acme/github", ["release", "malicious"]),
    ("malicious and quarantined", "acme/github", ["release", "malicious", "quarantine"]),
    ("a false alarm", "acme/github", ["release", "malicious", "quarantine", "restore 11"]),
    ("the same, renamed", "acme/gh", ["release", "malicious", "quarantine", "restore 11", "github > gh"]),
    ("taken down too, and restored twice", "acme/github", ["release", "malicious", "quarantine", "takedown", "restore 12", "restore 11"]),
    ("only the takedown restored", "acme/github", ["release", "malicious", "quarantine", "takedown", "restore 12"]),
    ("no quarantine at all, a takedown restored", "acme/github", ["release", "malicious", "takedown", "restore 12"]),
    ("malicious once more", "acme/github", ["release", "malicious", "quarantine", "restore 11", "malicious again"]),
    ("malicious after the restoration alone", "acme/github", ["release", "scan", "quarantine", "restore 11", "malicious again"]),
    ("quarantined once more", "acme/github", ["release", "malicious", "quarantine", "restore 11", "quarantine again"]),
    ("the restoration without what it lifts", "acme/github", ["release", "malicious", "restore 11"]),
    ("restored twice", "acme/github", [*BASIC, "quarantine", "restore 11", "restore 11 again"]),
    ("a restoration of another number", "acme/github", [*BASIC, "quarantine", "restore 99"]),
    ("a restoration of a yank", "acme/github", [*BASIC, "yank", "restore 1"]),
    ("a restoration of a withdrawal", "acme/github", [*BASIC, "withdraw", "restore 2"]),
    ("a restoration by another role", "acme/github", [*BASIC, "quarantine", "restore by restrict"]),
    ("numbers that do not count upwards", "acme/github", [*BASIC, "quarantine again", "yank gh", "quarantine later"]),
]

STATEMENTS += [
    ("claim github 2", 199, claim("acme/github")),
    ("restore 11 again", 128, restoration("acme/github", 11, 15)),
    ("quarantine later", 140, restriction("acme/github", "quarantine", 16)),
]


def make():
    statements = sorted(STATEMENTS, key=lambda statement: statement[1])
    entries = {
        label: {"kind": kind, "logIndex": leaf, "dsse": dsse} for label, leaf, (kind, dsse) in statements
    }
    asked = []
    for _, name, labels in CASES:
        held = [entry for label, entry in entries.items() if label in labels]
        assert len(held) == len(labels)
        envelope = {"schema": "skill.trust-envelope.v1", "statements": held}
        asked.append({"name": name, "version": "3.4.1", "envelope": trust.compact(envelope).decode()})
    given = {"registry": REGISTRY, "roots": [trust.make_root().decode()], "asked": asked}
    return {
        "statements": [{"label": label} | entry for label, entry in entries.items()],
        "cases": [
            {
                "case": case,
                "name": name,
                "holds": [label for label in entries if label in labels],
                "outcome": outcome,
            }
            for (case, name, labels), outcome in zip(CASES, trust.judge(given))
        ],
    }


def lines(key, rows):
    """One row a line."""
    body = ",\n".join("  " + json.dumps(row) for row in rows)
    return f' "{key}": [\n{body}\n ]'


if __name__ == "__main__":
    print("{\n" + ",\n".join(lines(key, rows) for key, rows in make().items()) + "\n}")
