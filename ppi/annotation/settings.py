"""The options of an annotator, the selection of what it reports, and the running of batches.

This module is light: the command line and the processes of long runs import it before anything is loaded.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Collection, Sequence
from dataclasses import InitVar, asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from corpora import Document, Sentence
from ppi.annotation.pairs import DEFAULT_KINDS
from ppi.annotation.relationship import TYPES
from ppi.core import UsageError
from ppi.language import DEFAULT_PARSER, MODEL_DIRECTORY, RERANK, RERANKER_FILE, SHIPPED

if TYPE_CHECKING:
    from ppi.annotation.annotator import Annotator
    from ppi.annotation.results import Interaction
    from ppi.extraction import Extractor

#: The model that ships with the package.
MODEL_FILE = Path(__file__).parent / "model.zip"
#: The lexicon that does.
SHIPPED_LEXICON = Path(__file__).parents[1] / "grounding" / "lexicon.zip"
#: Interactions that are less probable are left out, unless another limit is given.
MIN_PROBABILITY = 0.5
#: Longer sentences are not searched: their features take memory and time with the square of the length.
MAX_SENTENCE_TOKENS = 500
#: Nor are lists of more than a hundred proteins.
MAX_SENTENCE_PAIRS = 5000
#: Interactions that are held to show the best first, where no order was requested: what a person may want to read.
MAX_SORTED_INTERACTIONS = 1000

_WARM_UP_DOCUMENT = Document("first", (Sentence("first.s0", "Profilin binds actin."),))


@dataclass(kw_only=True, repr=False, eq=False)
class AnnotatorOptions:
    """The options of an :class:`~ppi.Annotator`, which describes each; ``repr=False``: not in its ``repr``."""

    model: Extractor | str | Path | None = None
    parser: str = DEFAULT_PARSER
    min_probability: float = MIN_PROBABILITY
    lexicon: Any = field(default=None, repr=False)
    max_tokens: int = field(default=MAX_SENTENCE_TOKENS, repr=False)
    max_pairs: int = field(default=MAX_SENTENCE_PAIRS, repr=False)
    types: Collection[str] | None = None
    include_negated: bool = field(default=False, repr=False)
    include_hedged: bool = field(default=False, repr=False)
    prevalence: float | None = field(default=None, repr=False)
    kinds: Collection[str] = DEFAULT_KINDS
    grounding: bool = True
    keep_same: bool = False
    share: InitVar[float | None] = None  # the earlier name of prevalence

    def __post_init__(self, share: float | None) -> None:
        if share is not None:
            warnings.warn("share= is now called prevalence=", DeprecationWarning, stacklevel=4)
            self.prevalence = share


@dataclass(kw_only=True)
class AnnotatorSettings(AnnotatorOptions):
    """The options of an :class:`~ppi.Annotator` in plain values that travel between processes: files by their names."""

    model: str | None = None
    lexicon: str | None = None
    families: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The settings as manifests of long runs hold them: the prevalence as ``share``, and without the limits."""
        values = json.loads(json.dumps(asdict(self)))  # as it is read back: lists, no tuples
        order = dict.fromkeys(["model", "parser", "min_probability", "lexicon", "families", *values])
        return {
            "share" if name == "prevalence" else name: values[name]
            for name in order
            if name not in ("max_tokens", "max_pairs")
        }

    def files(self) -> dict[str, Path]:
        """The files that its results depend on, by what they are."""
        paths = {"lexicon": self.lexicon, "families": self.families}
        files = {name: Path(path) for name, path in paths.items() if path is not None}
        if self.grounding:
            files.setdefault("lexicon", SHIPPED_LEXICON)
        files["model"] = Path(self.model) if self.model is not None else MODEL_FILE
        kind, _, argument = self.parser.partition(":")
        if kind == SHIPPED:
            files["pipeline"] = MODEL_DIRECTORY / "meta.json"
            if RERANK in argument.split("+"):
                files["reranker"] = RERANKER_FILE
        return files

    def build(self) -> Annotator:
        """The annotator."""
        from ppi.annotation.annotator import Annotator

        options = {option.name: getattr(self, option.name) for option in fields(AnnotatorOptions)}
        if self.lexicon is not None:
            from ppi.grounding import Lexicon

            options["lexicon"] = Lexicon.read(self.lexicon, self.families) if self.grounding else None
        return Annotator(**options)


def warm_up(annotator: Any, *, explain: bool = False) -> None:
    """Annotate a first document, which loads and compiles whatever is left, and fails here if it cannot.

    For processes that go on to annotate much: from here on they run compiled code.
    """
    from kernels import use_compiled_code

    use_compiled_code()
    list(annotator.annotate_documents([_WARM_UP_DOCUMENT], explain=explain, min_probability=0.0))


@dataclass(frozen=True)
class Selection:
    """What is reported as found.

    Parameters
    ----------
    types
        Only interactions of these types, of ``binding``, ``modification`` and ``regulation``; None takes any, also
        those without a type.
    include_negated, include_hedged
        Whether what a sentence denies, or only supposes, is reported, too; it is marked so.
    """

    types: tuple[str, ...] | None = None
    include_negated: bool = False
    include_hedged: bool = False

    @classmethod
    def from_types(
        cls, types: Collection[str] | None, *, include_negated: bool = False, include_hedged: bool = False
    ) -> Self:
        """The selection of these types, each once and in the usual order; none at all is any, as None.

        Raises
        ------
        UsageError
            If a type is not known.
        """
        if not isinstance(types, Collection | None) or isinstance(types, str) or set(types or ()) - set(TYPES):
            got = f"the text {types!r}; give a list" if isinstance(types, str) else repr(types)
            raise UsageError(f"expected types of interaction among {TYPES}, got {got}")
        chosen = tuple(type for type in TYPES if type in types) if types else None
        return cls(chosen, bool(include_negated), bool(include_hedged))

    def keeps(self, interaction: Interaction) -> bool:
        """Whether the interaction is reported."""
        return (
            (self.types is None or interaction.type in self.types)
            and (self.include_negated or not interaction.negated)
            and (self.include_hedged or not interaction.hedged)
        )


T = TypeVar("T")
R = TypeVar("R")


def map_isolating_errors(
    function: Callable[[Sequence[T]], Sequence[R]],
    items: Sequence[T],
    *,
    errors: type[Exception] | tuple[type[Exception], ...],
    on_error: Callable[[T, Exception], None],
) -> list[tuple[T, R]]:
    """Each item with its result, in order, without those that fail on their own.

    The items are tried together and, if that fails, one by one: the error is then known to be that item's.

    Parameters
    ----------
    function
        Gives one result per item, of all that it is given.
    errors
        What may be the fault of an item; every other error is raised at once.
    on_error
        Called with the item that fails on its own, and its error; may raise.

    Examples
    --------
    >>> bad = []
    >>> map_isolating_errors(
    ...     lambda texts: [int(text) for text in texts], ["1", "x", "3"],
    ...     errors=ValueError, on_error=lambda text, error: bad.append(text),
    ... ), bad
    ([('1', 1), ('3', 3)], ['x'])
    """
    if not items:
        return []
    try:
        return list(zip(items, function(items), strict=True))
    except errors as error:
        if len(items) == 1:
            on_error(items[0], error)
            return []
    return [
        outcome
        for item in items
        for outcome in map_isolating_errors(function, [item], errors=errors, on_error=on_error)
    ]
