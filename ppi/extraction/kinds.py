"""The kind of a modification, from the words that state it."""

from __future__ import annotations

import re

from kernels import CandidateGraph

#: Kinds by the stem of their verbs and nouns; the longer stem goes first.
MODIFICATION_STEMS = {
    stem: kind
    for kind, stems in {
        "phosphorylation": ("phosphorylat", "phospho"),
        "ubiquitination": ("ubiquitin", "ubiquityl"),
        "acetylation": ("acetylat",),
        "methylation": ("methylat",),
        "glycosylation": ("glycosylat",),
        "hydroxylation": ("hydroxylat",),
        "sumoylation": ("sumoylat",),
    }.items()
    for stem in stems
}
_MODIFICATION_WORD = re.compile(
    rf"(de)?(?:auto|trans|hyper|poly|mono|co)?-?({'|'.join(MODIFICATION_STEMS)})", re.IGNORECASE
)
#: Tokens beside the path that are looked at when the path itself says nothing.
_NEAR_PATH_TOKENS = 3


def modification_kind(graph: CandidateGraph) -> str | None:
    """The kind of modification that the words on the path between the two mentions say, or those beside it.

    "dephosphorylates" is a kind of its own.
    """
    words = [token.text for token in graph.tokens]
    on_path = [place for place, is_on_path in enumerate(graph.token_on_path.tolist()) if is_on_path]
    near = {place + step for place in on_path for step in range(-_NEAR_PATH_TOKENS, _NEAR_PATH_TOKENS + 1)}
    for places in (on_path, sorted(near)):
        for place in places:
            if 0 <= place < len(words) and (match := _MODIFICATION_WORD.match(words[place])):
                return ("de" if match[1] else "") + MODIFICATION_STEMS[match[2].lower()]
    return None
