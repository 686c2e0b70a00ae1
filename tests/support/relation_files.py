"""Small corpora as people have them: relations between identifiers, between mentions, and events, counted by hand."""

from __future__ import annotations

import json
from pathlib import Path

# Genes of document 1 are related in the title and in the first sentence of the abstract, cofilin and actin are not; a
# chemical takes part in a relation.  Titin and nebulin are related, and never in one sentence.
PUBTATOR = """\
1|t|Profilin binds actin in yeast.
1|a|Profilin and actin form a complex. Cofilin was not affected by aspirin. Cofilin severs actin.
1\t0\t8\tProfilin\tGene\t5216
1\t15\t20\tactin\tGene\t60
1\t31\t39\tProfilin\tGene\t5216
1\t44\t49\tactin\tGene\t60
1\t66\t73\tCofilin\tGene\t1072
1\t94\t101\taspirin\tChemical\tD001241
1\t103\t110\tCofilin\tGene\t1072
1\t118\t123\tactin\tGene\t60
1\tBind\t5216\t60\tNovel
1\tAssociation\t1072\tD001241\tNo

2|t|Emerin and lamin.
2|a|Emerin binds lamin and Emerin.
2\t0\t6\tEmerin\tGene\t2010
2\t11\t16\tlamin\tGene\t4000
2\t18\t24\tEmerin\tGene\t2010
2\t31\t36\tlamin\tGene\t4000
2\t41\t47\tEmerin\tGene\t2010
2\tAssociation\t2010\t4000

3|t|Titin is large.
3|a|Nebulin is long. Nebulin and obscurin occur in muscle, and so does kettin.
3\t0\t5\tTitin\tGene\t7273
3\t16\t23\tNebulin\tGene\t4703
3\t33\t40\tNebulin\tGene\t4703
3\t45\t53\tobscurin\tGene\t84033
3\t83\t89\tkettin\tGene\t-
3\tAssociation\t7273\t4703
"""

# one document, one positive pair (R1), one across sentences (R2), one with a chemical (R3); three other pairs
BRAT_TEXT = "RAD51 binds BRCA2 and p53, with ATP. MDM2 degrades p53."
BRAT = """\
T1\tProtein 0 5\tRAD51
T2\tProtein 12 17\tBRCA2
T3\tProtein 22 25\tp53
T4\tChemical 32 35\tATP
T5\tProtein 37 41\tMDM2
T6\tProtein 51 54\tp53
R1\tBinds Arg1:T1 Arg2:T2
R2\tBinds Arg1:T1 Arg2:T5
R3\tBinds Arg1:T1 Arg2:T4
"""

# one binding (AKT1, MDM2), one regulation (MDM2 acts on TP53); CHK2 is joined with neither of its sentence
EVENT_TEXT = "AKT1 binds MDM2. MDM2 inhibits TP53 and not CHK2."
EVENT_NAMES = "T1\tProtein 0 4\tAKT1\nT2\tProtein 11 15\tMDM2\nT3\tProtein 17 21\tMDM2\nT4\tProtein 31 35\tTP53\n"
EVENT_NAMES += "T5\tProtein 44 48\tCHK2\n"
EVENTS = "T6\tBinding 5 10\tbinds\nT7\tNegative_regulation 22 30\tinhibits\n"
EVENTS += "E1\tBinding:T6 Theme:T1 Theme2:T2\nE2\tNegative_regulation:T7 Theme:T4 Cause:T3\n"


def pubtator(folder: Path, name: str = "genes.pubtator", text: str = PUBTATOR) -> str:
    """Three abstracts: 5 positive pairs of mentions, 2 negative ones; 3 related pairs of identifiers, 1 apart."""
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def bioc(folder: Path, name: str = "genes.bioc.json") -> str:
    """As BC6PM has them, related genes in the remarks of a relation: 1 positive and 2 negative pairs of mentions."""
    text = "STAT5 is bound by JAK2. STAT5 and CISH were seen. JAK2 and CISH were not."
    places = [("STAT5", 0, "6776"), ("JAK2", 18, "3717"), ("STAT5", 24, "6776"), ("CISH", 34, "1154")]
    places += [("JAK2", 50, "3717"), ("CISH", 59, "1154")]
    annotations = [
        {
            "id": str(number),
            "text": word,
            "infons": {"type": "Gene", "NCBI GENE": gene},
            "locations": [{"offset": start, "length": len(word)}],
        }
        for number, (word, start, gene) in enumerate(places)
    ]
    relation = {"id": "R0", "infons": {"Gene1": "3717", "Gene2": "6776", "relation": "PPIm"}, "nodes": []}
    passage = {"offset": 0, "text": text, "infons": {}, "annotations": annotations, "relations": [], "sentences": []}
    document = {"id": "9", "infons": {}, "passages": [passage], "annotations": [], "relations": [relation]}
    collection = {"source": "", "date": "", "key": "", "infons": {}, "documents": [document]}
    (folder / name).write_text(json.dumps(collection), encoding="utf-8")
    return str(folder / name)


def brat(folder: Path, name: str = "brat", copies: int = 1) -> str:
    """A folder of documents with positives only: each has 1 positive and 3 negative pairs, and 1 relation across."""
    (folder / name).mkdir()
    for number in range(copies):
        (folder / name / f"d{number}.txt").write_text(BRAT_TEXT, encoding="utf-8")
        (folder / name / f"d{number}.ann").write_text(BRAT, encoding="utf-8")
    return str(folder / name)


def events(folder: Path, name: str = "events") -> str:
    """One document: 1 binding, 1 regulation, 2 negative pairs."""
    (folder / name).mkdir()
    (folder / name / "d.txt").write_text(EVENT_TEXT, encoding="utf-8")
    (folder / name / "d.a1").write_text(EVENT_NAMES, encoding="utf-8")
    (folder / name / "d.a2").write_text(EVENTS, encoding="utf-8")
    return str(folder / name)
