"""Models of all corpora but one, and all but two: what the extraction model's figures and calibration rest on.

A model never saw the corpus it is judged on, nor any document that another corpus shares with it.  With S_c(-A) the
scores of corpus c by a model trained without the corpora A:

* the model's figures are those of S_c(-{c});
* its calibration is fitted to S_c(-{c}) of all corpora c;
* to judge calibration on c, another one is fitted to S_d(-{c, d}) of the corpora d other than c.

Figures are of models after rare features are dropped.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from corpora.types import Document
from learners.metrics import auc, best_threshold
from ppi.errors import TrainingError
from ppi.extraction import Extractor, Settings
from ppi.extraction.calibration import Calibration, fit_by_method
from ppi.extraction.outcomes import Model
from ppi.extraction.preparation import Prepared, TrainingRows, prepare
from ppi.extraction.ridge import REGPARAM, LinearModel, ridge_models

#: Features of fewer documents are dropped from the shipped model.
MIN_DOCUMENTS = 3
#: How the model that ships is made; the same as the defaults of ``ppi train``.
SHIPPED = Settings(kernel="composite", learner="ridge", min_documents=MIN_DOCUMENTS)


@dataclass(frozen=True)
class LeftOut:
    """Annotated corpora as rows of features, and the models without any one or two of them."""

    settings: Settings
    prepared: Prepared
    rows: TrainingRows
    models: dict[frozenset[str], LinearModel]

    @classmethod
    def train(cls, documents: Mapping[str, Sequence[Document]], settings: Settings = SHIPPED) -> LeftOut:
        """Train on parsed corpora: all of them, all but one, all but two.

        Raises
        ------
        TrainingError
            If there are fewer than three corpora: one is tested on, one calibrated on, one learned from.
        """
        if len(documents) < 3:
            raise TrainingError(f"expected at least 3 corpora, so that two can be left out, got {list(documents)}")
        prepared = prepare(documents, settings)
        rows = prepared.rows(list(documents))
        barred = {each.name: each.barred for each in rows.hold_outs}
        parts = [frozenset(some) for size in range(3) for some in combinations(documents, size)]
        masks = [~np.any([np.zeros(len(rows), bool), *(barred[name] for name in part)], axis=0) for part in parts]
        regparam = REGPARAM if settings.regparam is None else settings.regparam
        return cls(settings, prepared, rows, dict(zip(parts, ridge_models(rows, masks, regparam=regparam))))

    @property
    def names(self) -> list[str]:
        """The corpora."""
        return list(self.prepared.documents)

    def labels(self, name: str) -> NDArray[np.float64]:
        """+1 or -1 for each pair of a corpus."""
        return self.prepared.examples[name].labels

    def scores(self, name: str, *, without: Collection[str], min_documents: int | None = None) -> NDArray[np.float64]:
        """The scores of a corpus by the model that has not seen these corpora."""
        least = self.settings.min_documents if min_documents is None else min_documents
        return self.models[frozenset(without)].scores(self.prepared.features[name], min_documents=least)

    def held_out(self, *, without: str | None = None) -> dict[str, NDArray[np.float64]]:
        """Scores of each corpus by a model without it (and without ``without``, whose scores are not given)."""
        left = [name for name in self.names if name != without]
        return {name: self.scores(name, without={name, *([without] if without else [])}) for name in left}

    def calibration(self, method: str, *, without: str | None = None) -> Calibration:
        """A calibration that has not seen ``without``, as none of the models it rests on has.

        ``method`` is one of :data:`~lab.training.extraction.reliability.METHODS`.
        """
        scores = self.held_out(without=without)
        corpora = np.repeat(list(scores), [len(each) for each in scores.values()])
        return fit_by_method(method, np.concatenate(list(scores.values())), self._labels_of(scores), corpora)

    def aucs(self, *, min_documents: int | None = None) -> dict[str, float]:
        """AUC on each corpus of the model without it; ``min_documents=1`` for the models before pruning."""
        return {
            name: auc(self.labels(name) > 0, self.scores(name, without=[name], min_documents=min_documents))
            for name in self.names
        }

    def extractor(self, *, without: str | None = None) -> Extractor:
        """The extractor of all corpora (but ``without``): what ``ppi train`` makes of them, from the models here."""
        names = [name for name in self.names if name != without]
        rows = self.prepared.rows(names)
        model = self.models[frozenset([without] if without else [])]
        held_out = np.concatenate(list(self.held_out(without=without).values()))
        whole = Model(
            weights=model.pruned(self.settings.min_documents),
            intercept=model.intercept,
            regparam=REGPARAM if self.settings.regparam is None else self.settings.regparam,
            threshold=best_threshold(rows.labels, held_out).threshold,
            training_auc=auc(rows.labels, held_out),
            held_out=held_out,
        )
        return Extractor(**asdict(self.settings)).adopt(whole, self.prepared, rows, names=names)

    def _labels_of(self, names: Collection[str]) -> NDArray[np.float64]:
        return np.concatenate([self.labels(name) for name in names])
