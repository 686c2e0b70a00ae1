"""Loads the shipped spaCy pipeline for users who want to extend it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppi.language import DEFAULT_GUIDELINE, load_shipped_uncached

if TYPE_CHECKING:
    from spacy.language import Language


def load_pipeline(*, guideline: str = DEFAULT_GUIDELINE) -> Language:
    """The spaCy pipeline that ships with the package: sentences, tags, parses, lemmas and protein names.

    Each call loads it anew, in about a second: it is the caller's, to add to, change and save.  Interactions come with
    ``nlp.add_pipe("ppi_interactions")``.

    Parameters
    ----------
    guideline
        Whose idea of a protein name: ``"bc2gm"`` (genes and their products by name) or ``"jnlpba"`` (proteins, families
        included).

    Raises
    ------
    MissingModelError
        If the package is damaged.

    Examples
    --------
    >>> nlp = load_pipeline()
    >>> doc = nlp("Profilin binds actin.")
    >>> [(ent.text, ent.label_) for ent in doc.ents], [token.dep_ for token in doc]
    ([('Profilin', 'PROTEIN'), ('actin', 'PROTEIN')], ['nsubj', 'ROOT', 'dobj', 'punct'])
    """
    import ppi.annotation.in_spacy.component  # noqa: F401, announces itself, also where the package is not installed

    return load_shipped_uncached(guideline=guideline, optimized=False)
