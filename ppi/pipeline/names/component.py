"""The name finder as a component of a spaCy pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc, Span
from spacy.util import minibatch

from ppi.pipeline.kinds import KINDS
from ppi.pipeline.names.finder import DEFAULT_GUIDELINE, NameModel, check_guideline, drop_overlapping
from ppi.pipeline.names.kinds import NameSpan
from ppi.pipeline.names.plausible import drop_implausible
from ppi.pipeline.names.segments import read_tokens


@Language.factory("protein_names", assigns=["doc.ents"], default_config={"guideline": DEFAULT_GUIDELINE})
class NameFinder(Pipe):
    """Adds names to ``doc.ents``, with their kind as label; those that are there already stay.

    Parameters
    ----------
    guideline
        Whose idea of a name: "bc2gm" (genes and their products by name), or "jnlpba" (proteins, families included,
        genes not).
    """

    model: NameModel | None

    def __init__(self, nlp: Language, name: str = "ner", *, guideline: str = DEFAULT_GUIDELINE) -> None:
        check_guideline(guideline)
        self.vocab = nlp.vocab
        self.name = name
        self.guideline = guideline
        self.model = None

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that are given."""
        return KINDS

    def __call__(self, doc: Doc) -> Doc:
        """Find the names of one document."""
        self._annotate([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Find the names of many documents, some at a time."""
        for docs in minibatch(stream, size=batch_size):
            self._annotate(docs)
            yield from docs

    def _annotate(self, docs: list[Doc]) -> None:
        if self.model is None:
            raise ValueError("expected a name finder with a trained model, got an empty one; load a trained pipeline")
        tokenized_docs = [read_tokens(doc) for doc in docs]
        names_per_doc = self.model.find([text for text, _ in tokenized_docs], guideline=self.guideline)
        for doc, (text, places), spans in zip(docs, tokenized_docs, names_per_doc):
            existing_spans = [(ent.start, ent.end) for ent in doc.ents]
            names = [
                NameSpan(places[start], places[end - 1] + 1, kind) for start, end, kind in drop_implausible(text, spans)
            ]
            new_spans = [
                Span(doc, start, end, label=kind) for start, end, kind in drop_overlapping(names, existing_spans)
            ]
            doc.set_ents([*doc.ents, *new_spans])

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The trained model, if there is one."""
        return b"" if self.model is None else self.model.to_bytes()

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> NameFinder:
        """Take over a trained model."""
        self.model = NameModel.from_bytes(data) if data else None
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the trained model to ``path/model``."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model").write_bytes(self.to_bytes())

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> NameFinder:
        """Read what :meth:`to_disk` of a trained finder wrote."""
        data = (Path(path) / "model").read_bytes()
        if not data:
            raise ValueError("expected a trained name model, got an empty file")
        return self.from_bytes(data)

    def score(self, examples: Iterable[Any], **kwargs: Any) -> dict[str, Any]:
        """Exact names: precision, recall and F, as spaCy counts them."""
        from spacy.scorer import get_ner_prf

        return get_ner_prf(examples, **kwargs)
