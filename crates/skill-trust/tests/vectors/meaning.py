"""What the opened statements of a trust envelope add up to: names, restrictions, the verdict.

A second implementation of docs/FORMAT.md, "Names of one skill" and "What is checked". A statement is
(kind, leaf, predicate, subject); whoever signed it was asked before.
"""

VERDICTS = ["clean", "suspicious", "not-analysable", "malicious"]
CLOSED = ["yank", "withdraw", "delete", "quarantine", "takedown"]
STATES = dict(zip(CLOSED, ["yanked", "withdrawn", "deleted", "quarantined", "taken-down"]))
UNDONE_BY = {"yank": "unyank", "withdraw": "undelete", "delete": "undelete"}


class Refused(ValueError):
    """The first thing that does not hold, in one word."""


def demand(truth, word):
    if not truth:
        raise Refused(word)


def name_of(predicate):
    return predicate["owner"], predicate["slug"]


class Names:
    """The name statements of one envelope."""

    def __init__(self):
        self.leads, self.claims, self.transfers = {}, set(), []

    def read(self, leaf, predicate):
        name, action = name_of(predicate), predicate["action"]
        if action["type"] == "claim":
            demand(name not in self.claims, "name-twice")
            self.claims.add(name)
        elif action["type"] == "transfer":
            self.transfers.append((name, action["to"]))
        else:
            demand(name not in self.leads, "name-twice")
            self.leads[name] = leaf, name_of(action["target"]), action["type"] == "merge"

    def end(self, name):
        """Where a name leads when it is followed to the end, and in how many steps."""
        steps = []
        while name in self.leads:
            demand(name not in steps, "name-cycle")
            steps.append(name)
            name = self.leads[name][1]
        return name, len(steps)

    def consented(self, name, current):
        """Whether the transfers, each of what its giver holds, bring the name to its owner."""
        holders = {name[0]}
        for (giver, _), taker in self.transfers:
            if giver in holders:
                holders.add(taker)
        return current[0] in holders

    def current(self, asked):
        """What the skill is called now that is asked for as `asked`."""
        for name in sorted(self.leads):
            demand(self.end(name)[1] == 1, "name-hops")
        current = self.end(asked)[0]
        demand(all(target == current for _, target, _ in self.leads.values()), "name-unrelated")
        known = {current, *self.leads}
        for name, taker in self.transfers:
            demand(name in known, "name-unrelated")
            known.add((taker, name[1]))
        demand(self.claims <= known, "name-unrelated")
        for name, (_, _, merged) in self.leads.items():
            demand(merged or self.consented(name, current), "name-unconsented")
        return current

    def check(self, leaf, name, current):
        if name in self.leads:
            demand(leaf <= self.leads[name][0], "name-late")
        else:
            demand(name == current, "name-unrelated")


class Restrictions:
    """What was restricted and restored, replayed."""

    def __init__(self):
        self.open, self.sequence, self.quarantines = {}, 0, []

    def count(self, sequence):
        demand(sequence > self.sequence, "restriction-order")
        self.sequence = sequence

    def restrict(self, leaf, predicate):
        action, sequence = predicate["action"], predicate["sequence"]
        self.open = {n: a for n, a in self.open.items() if UNDONE_BY.get(a) != action}
        if action in CLOSED:
            self.open[sequence] = action
        if action == "quarantine":
            self.quarantines.append((leaf, sequence))
        self.count(sequence)

    def restore(self, predicate):
        lifts = predicate["lifts"]
        demand(lifts in self.open, "restoration-target")
        demand(self.open.pop(lifts) in ("quarantine", "takedown"), "restoration-action")
        self.count(predicate["sequence"])

    def state(self):
        return STATES[max(self.open.values(), key=CLOSED.index)] if self.open else None

    def overrules(self, scan_leaf):
        later = [sequence for leaf, sequence in self.quarantines if leaf > scan_leaf]
        return bool(later) and not any(sequence in self.open for sequence in later)


def add_up(statements, registry, asked, version):
    """What a reader of the release `version` of `asked`, an (owner, slug), gets to know."""
    names = Names()
    for kind, leaf, predicate, _ in statements:
        demand(predicate["registry"] == registry, "registry")
        if kind == "name":
            names.read(leaf, predicate)
    demand(not any(merged for _, _, merged in names.leads.values()), "name-merged")
    current = names.current(asked)
    content, releases, scan, restrictions = None, [], None, Restrictions()
    for kind, leaf, predicate, subject in statements:
        if kind == "name":
            continue
        demand("slug" in predicate and "version" in predicate, "unexpected")
        names.check(leaf, name_of(predicate), current)
        demand(predicate["version"] == version, "version")
        content = content or subject["digest"]
        demand(subject["digest"]["sha256"] == content["sha256"], "subject-archive")
        demand(subject["digest"]["skillTreeV1"] == content["skillTreeV1"], "subject-tree")
        if kind == "release":
            demand(not releases, "release-twice")
            releases.append(predicate)
        elif kind == "scan":
            rank = VERDICTS.index(predicate["verdict"])
            scan = max(scan or (rank, leaf), (rank, leaf))
        elif kind == "restriction":
            restrictions.restrict(leaf, predicate)
        elif kind == "restoration":
            restrictions.restore(predicate)
    demand(releases and scan, "missing")
    verdict = VERDICTS[scan[0]]
    if verdict == "malicious" and restrictions.overrules(scan[1]):
        verdict = "suspicious"
    return {
        "name": "/".join(current),
        "published": "/".join(name_of(releases[0])),
        "former": sorted("/".join(name) for name in names.leads),
        "state": restrictions.state(),
        "verdict": verdict,
    }
