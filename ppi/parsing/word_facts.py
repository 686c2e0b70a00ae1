"""What follows from a word and its tag alone - universal tag, features, lemma - found once for each pair of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ppi.errors import ParseError

#: Pairs that are remembered; then the memory is emptied.
MAX_CACHED_PAIRS = 100_000
#: The components whose answer depends on a word and its tag, and on nothing around them.
LEXEME_COMPONENTS = ("attribute_ruler", "lemmatizer")
#: What a pattern of the attribute ruler may ask of a token for that to hold.
_TOKEN_ATTRIBUTES = frozenset(["TAG", "ORTH", "TEXT", "LOWER", "NORM"])


class LexemeAttributes(NamedTuple):
    """None stands for nothing."""

    upos: str | None
    lemma: str | None
    feats: str | None


NO_ATTRIBUTES = LexemeAttributes(None, None, None)


class LexemeAttributeCache:
    """The attribute ruler and the lemmatizer of a spaCy pipeline, asked once for each word and tag.

    Raises
    ------
    ParseError
        If the ruler has patterns of several tokens, or of more than a word and its tag.
    """

    def __init__(self, nlp: Any) -> None:
        self._vocab = nlp.vocab
        self._components = [nlp.get_pipe(name) for name in LEXEME_COMPONENTS if name in nlp.pipe_names]
        self._cache: dict[tuple[str, str], LexemeAttributes] = {}
        if "attribute_ruler" in nlp.pipe_names:
            _check_patterns(nlp.get_pipe("attribute_ruler").patterns)

    def look_up(self, words: Sequence[str], tags: Sequence[str]) -> list[LexemeAttributes]:
        """For each token its facts."""
        cache = self._cache
        pairs = list(zip(words, tags))
        if missing := [pair for pair in dict.fromkeys(pairs) if pair not in cache]:
            if len(cache) + len(missing) > MAX_CACHED_PAIRS:
                cache.clear()
                missing = list(dict.fromkeys(pairs))
            cache.update(zip(missing, self._compute(missing)))
        return [cache[pair] for pair in pairs]

    def _compute(self, pairs: Sequence[tuple[str, str]]) -> Iterable[LexemeAttributes]:
        from spacy.tokens import Doc

        doc = Doc(self._vocab, words=[word for word, _ in pairs], tags=[tag for _, tag in pairs])
        for component in self._components:
            doc = component(doc)
        return [LexemeAttributes(token.pos_ or None, token.lemma_ or None, str(token.morph) or None) for token in doc]


def _check_patterns(rules: Iterable[dict[str, Any]]) -> None:
    for pattern in (pattern for rule in rules for pattern in rule["patterns"]):
        if len(pattern) != 1 or not _TOKEN_ATTRIBUTES.issuperset(pattern[0]):
            raise ParseError(
                f"expected an attribute ruler with patterns of one token and its {sorted(_TOKEN_ATTRIBUTES)}, got "
                f"{pattern!r}; train the pipeline with other patterns"
            )
