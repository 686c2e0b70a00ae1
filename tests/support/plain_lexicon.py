"""The slow twin of the lexicon: plain dictionaries of every form of every name, written from the table of levels.

Of the project it uses the normalization and the values to compare; nothing is hashed, sorted or packed.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from ppi.grounding import GroundingCandidate, normalize_name

LEVELS = ("exact", "normalized", "plural", "stripped", "letters")
FIELDS = ("symbol", "synonym", "name")
MOST_SHARING = 50
LONGEST_NAME = 200
LISTED = ["gene product", "protein", "gene", "polypeptide", "precursor"]
ASKED = [*LISTED, "mRNA", "cDNA", "transcript", "promoter", "peptide", "isoform", "molecule", "enzyme"]
ASKED += ["homolog", "homologue", "homologe", "homologu", "ortholog", "orthologue", "orthologe", "orthologu"]
GROUPS = ["complex", "complexes", "family", "superfamily", "subfamily", "families", "superfamilies", "subfamilies"]
GREEK = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "theta", "kappa", "lambda", "sigma", "omega")


def usable(name):
    key = normalize_name(name)
    return key if len(key) > 2 and not key.isdigit() else ""


def singular(key):
    if len(key) > 4 and key.endswith("s") and not key.endswith("ss"):
        return key[:-1]
    return key


def without_last_word(name, words, plural="s?"):
    """What stands before one of the words, in the singular or the plural, if the name ends so."""
    for word in words:
        pattern = re.escape(word).replace(r"\ ", r"[\s\-]+")
        found = re.match(rf"^(.*?)[\s\-]+{pattern}{plural}$", name, re.IGNORECASE | re.DOTALL)
        if found:
            return found[1]
    return None


def latin(key):
    made = ""
    while key:
        word = next((word for word in GREEK if key.startswith(word)), key[0])
        made, key = made + word[0], key[len(word) :]
    return made


def forms(name, *, asked):
    """What a name is at each level; two match at a level if these have something in common."""
    found = {"exact": {name}}
    key = usable(name)
    if not key:
        return found
    found["normalized"] = {key}
    found["plural"] = {singular(key)}
    found["stripped"] = {singular(key)}
    rest = without_last_word(name, ASKED if asked else LISTED)
    if rest is not None and usable(rest) and (asked or not re.search(r"\s", rest)):
        found["stripped"].add(singular(usable(rest)))
    found["letters"] = {latin(each) for each in found["stripped"]}
    return found


class PlainLexicon:
    def __init__(self, entries):
        self.entries = list(entries)
        shared = Counter()
        for entry in self.entries:
            held = {key for _, name in names(entry) for key in shared_keys(name)}
            shared.update((group(entry), key) for key in held)
        self.index = {level: defaultdict(set) for level in LEVELS}
        for number, entry in enumerate(self.entries):
            for field, name in names(entry):
                kept = {key for key in shared_keys(name) if shared[group(entry), key] <= MOST_SHARING}
                for level, held in forms(name, asked=False).items():
                    for form in held:
                        if field == 0 or looked_up_by(level, form) in kept or (level == "exact" and kept):
                            self.index[level][form].add((number, field))

    def candidates(self, name):
        ranks = self.ranks(name, lambda entry: True)
        if re.fullmatch("[A-Z][a-z][a-z][0-9]{1,3}p", name):
            self.add_weaker(ranks, name[:-1], lambda entry: entry.taxid in ("4932", "4896"))
        shorter = without_last_word(name, GROUPS, plural="")
        if shorter and not shorter[-1:].isspace():
            self.add_weaker(ranks, shorter, lambda entry: entry.kind != "gene")
        found = {}
        for rank, number in sorted((rank, number) for number, rank in ranks.items()):
            entry, how = self.entries[number], f"{LEVELS[rank // 3]} {FIELDS[rank % 3]}"
            made = GroundingCandidate(entry.identifier, entry.symbol, entry.taxid, entry.kind, how, entry.uniprot)
            found.setdefault(entry.identifier, made)
        return tuple(found.values())

    def ranks(self, name, accepts):
        best = {}
        asked = forms(name, asked=True)
        for place, level in enumerate(LEVELS):
            for form in asked.get(level, ()):
                for number, field in self.index[level].get(form, ()):
                    if accepts(self.entries[number]):
                        best[number] = min(best.get(number, 99), place * 3 + field)
        return best

    def add_weaker(self, ranks, name, accepts):
        for number, rank in self.ranks(name, accepts).items():
            ranks[number] = min(ranks.get(number, 99), max(rank, 9 + rank % 3))


def names(entry):
    seen = set()
    for field, listed in enumerate(((entry.symbol,), entry.synonyms, entry.names)):
        for name in listed:
            if name not in seen and (field == 0 or 0 < len(name) <= LONGEST_NAME):
                seen.add(name)
                yield field, name


def group(entry):
    return entry.identifier.split(":")[0], entry.taxid, entry.kind


def shared_keys(name):
    return forms(name, asked=False).get("letters") or {("exact", name)}


def looked_up_by(level, form):
    return ("exact", form) if level == "exact" else latin(singular(form))
