"""What an annotator is made of, in plain values that travel between processes; and its first document."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpora.types import Document, Sentence
from ppi.annotation.pairs import DEFAULT_KINDS
from ppi.parsing.options import RERANK, RERANKER_FILE, SHIPPED
from ppi.pipeline import DEFAULT_PARSER, MODEL_DIRECTORY

if TYPE_CHECKING:
    from ppi.annotation.annotator import Annotator

#: The model that ships with the package.
MODEL_FILE = Path(__file__).parent / "model.zip"
#: The lexicon that does.
SHIPPED_LEXICON = Path(__file__).parents[1] / "grounding" / "lexicon.zip"
#: Interactions that are less probable are left out, unless another limit is given.
MIN_PROBABILITY = 0.5

_WARM_UP_DOCUMENT = Document("first", (Sentence("first.s0", "Profilin binds actin."),))


@dataclass(frozen=True)
class AnnotatorSettings:
    """The settings of an :class:`~ppi.Annotator`, its lexicon by the files it is read from."""

    model: str | None = None
    parser: str = DEFAULT_PARSER
    min_probability: float = MIN_PROBABILITY
    lexicon: str | None = None
    families: str | None = None
    types: tuple[str, ...] | None = None
    include_negated: bool = False
    include_hedged: bool = False
    share: float | None = None
    kinds: tuple[str, ...] = DEFAULT_KINDS
    grounding: bool = True
    keep_same: bool = False

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

        lexicon = None
        if self.lexicon is not None and self.grounding:
            from ppi.grounding import Lexicon

            lexicon = Lexicon.read(self.lexicon, self.families)
        return Annotator(
            model=self.model,
            parser=self.parser,
            min_probability=self.min_probability,
            lexicon=lexicon,
            include_negated=self.include_negated,
            include_hedged=self.include_hedged,
            types=self.types,
            share=self.share,
            kinds=self.kinds,
            grounding=self.grounding,
            keep_same=self.keep_same,
        )


def warm_up(annotator: Any, *, explain: bool = False) -> None:
    """Annotate a first document, which loads and compiles whatever is left, and fails here if it cannot.

    For processes that go on to annotate much: from here on they run compiled code.
    """
    from kernels.compiling import use_compiled_code

    use_compiled_code()
    list(annotator.annotate_documents([_WARM_UP_DOCUMENT], explain=explain, min_probability=0.0))
