"""Loads the pipeline that ships with the package, and reads the options after its name: ``shipped:jnlpba+rerank``.

The directory is an ordinary spaCy pipeline: JSON, msgpack and arrays, no pickle.  The package registers the components
that are not spaCy's own, the sentence rules and the name finder, with spaCy, so ``spacy.load`` reads the directory too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ppi.core import MissingModelError, UnknownParserError, UsageError

if TYPE_CHECKING:
    from spacy.language import Language


#: Where the trained pipeline lives inside the package.
MODEL_DIRECTORY = Path(__file__).parent / "model"
#: Where the ranker that comes with the package lives.
RERANKER_FILE = Path(__file__).parent / "reranking" / "model.zip"
#: The name of the parser that ships.
SHIPPED = "shipped"
#: The parser for interactions.
DEFAULT_PARSER = SHIPPED
#: The option that chooses among the trees of a beam.
RERANK = "rerank"
#: The two annotation guidelines that define what a protein name is.
GUIDELINES = ("bc2gm", "jnlpba")
#: The one that is used unless another is asked for: interactions are between proteins by name, and families found as
#: names cost precision and recall on all five interaction corpora.
DEFAULT_GUIDELINE = GUIDELINES[0]
#: What spaCy calls our name finder.
NAME_FINDER_FACTORY = "protein_names"


def load_shipped_pipeline(path: str | Path | None = None, *, guideline: str = DEFAULT_GUIDELINE) -> Language:
    """The shipped pipeline, or one that ``scripts/train_pipeline`` wrote to ``path``; loaded once a process.

    Parameters
    ----------
    guideline
        Whose idea of a protein name: "bc2gm" or "jnlpba"; see :class:`ppi.language.spacy_components.NameFinder`.

    Raises
    ------
    MissingModelError
        If the directory is missing or is not a pipeline.
    """
    return _load_cached(Path(path) if path is not None else MODEL_DIRECTORY, guideline=guideline)


@contextmanager
def use_pipeline(folder: Path) -> Iterator[None]:
    """Inside the block the pipeline of that folder is loaded in the place of the shipped one."""
    global MODEL_DIRECTORY
    before, MODEL_DIRECTORY = MODEL_DIRECTORY, folder
    try:
        yield
    finally:
        MODEL_DIRECTORY = before


def load_shipped_uncached(
    path: Path | None = None,
    *,
    guideline: str = DEFAULT_GUIDELINE,
    only_names: bool = False,
    optimized: bool = True,
) -> Language:
    """As :func:`load_shipped_pipeline`, but not cached: the caller may change it.

    Parameters
    ----------
    only_names
        Whether it has a tokenizer and a name finder only, and nothing else is read.
    optimized
        Whether it embeds each distinct word of a batch once; if not it is what spaCy itself would load: slower, and
        what is saved can be loaded again.
    """
    path = path or MODEL_DIRECTORY
    if not (path / "config.cfg").is_file():
        raise MissingModelError(
            f"expected a trained pipeline (with a config.cfg) in {str(path)!r}, got none; "
            "reinstall the package, or train one with scripts/train_pipeline"
        )
    from spacy.util import get_model_meta, load_config, load_model_from_config
    from thinc.api import use_ops

    from ppi.language.spacy_components import share_word_embeddings  # registers the components, too

    check_guideline(guideline)
    changes = {"components.ner.guideline": guideline}
    excluded: list[str] = []
    try:
        # numpy's own BLAS multiplies about three times as fast as the one spaCy brings along
        with use_ops("numpy", use_blis=False):
            meta, config = get_model_meta(path), load_config(path / "config.cfg", overrides=changes)
            if only_names:
                parts = config["components"].items()
                excluded = [name for name, settings in parts if settings.get("factory") != NAME_FINDER_FACTORY]
            nlp = load_model_from_config(config, meta=meta, exclude=excluded)
            nlp.from_disk(path, exclude=excluded, overrides=changes)
    except (OSError, ValueError, KeyError) as error:
        raise MissingModelError(
            f"expected a readable pipeline in {str(path)!r}, got: {error}; reinstall the package"
        ) from error
    if optimized and not only_names:
        share_word_embeddings(nlp)
    return nlp


_load_cached = lru_cache(maxsize=4)(load_shipped_uncached)


def check_guideline(guideline: str) -> None:
    """Raise a UsageError unless there is such a guideline."""
    if guideline not in GUIDELINES:
        raise UsageError(f"expected a guideline for names, one of {list(GUIDELINES)}, got {guideline!r}")


class ShippedOptions(NamedTuple):
    """Whose idea of a protein name, and whether trees are reranked."""

    guideline: str = DEFAULT_GUIDELINE
    rerank: bool = False


def parse_shipped_options(argument: str) -> ShippedOptions:
    """The options of what follows the colon; joined by ``+``, in any order.

    Raises
    ------
    UnknownParserError
        If there are too many of them.
    UsageError
        If one of them is none.

    >>> parse_shipped_options("rerank")
    ShippedOptions(guideline='bc2gm', rerank=True)
    >>> parse_shipped_options("")
    ShippedOptions(guideline='bc2gm', rerank=False)
    """
    options = argument.split("+") if argument else []
    guidelines = [option for option in options if option != RERANK]
    if len(guidelines) > 1 or len(options) - len(guidelines) > 1:
        raise UnknownParserError(
            f"expected at most one guideline and {RERANK!r} behind 'shipped:', joined by '+', got {argument!r}"
        )
    if guidelines and guidelines[0] not in GUIDELINES:
        raise UsageError(
            f"expected a guideline for names ({', '.join(GUIDELINES)}) or {RERANK!r} behind 'shipped:', "
            f"got {guidelines[0]!r}"
        )
    return ShippedOptions(guidelines[0] if guidelines else DEFAULT_GUIDELINE, RERANK in options)


def add_rerank_option(parser: str) -> str:
    """The name of the same parser with reranking; a UsageError unless it is the shipped one: no other has a ranker.

    >>> add_rerank_option("shipped"), add_rerank_option("shipped:jnlpba"), add_rerank_option("shipped:rerank")
    ('shipped:rerank', 'shipped:jnlpba+rerank', 'shipped:rerank')
    """
    kind, _, argument = parser.partition(":")
    if kind != SHIPPED:
        raise UsageError(f"expected the shipped parser with reranking, got {parser!r}; others have no ranker")
    if parse_shipped_options(argument).rerank:
        return parser
    return f"{SHIPPED}:{argument}+{RERANK}" if argument else f"{SHIPPED}:{RERANK}"
