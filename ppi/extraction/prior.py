"""Models of other corpora, as starting points for one corpus.

Ridge regression on all of the extra pairs, by conjugate gradients on the sparse features, since there can be many
more of them than a decomposition allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import Ridge

from corpora.types import Document

#: regparam of the prior model, in units of the mean squared norm of the features.
PRIOR_REGPARAM = 2.0
_TOLERANCE = 1e-3  # the learner corrects the opinion anyway


def prior_weights(X: sp.csr_matrix, labels: np.ndarray) -> np.ndarray:
    """Weights over the features of a ridge regression (with an intercept, which is dropped)."""
    unit = float(X.multiply(X).sum() / X.shape[0])
    model = Ridge(alpha=PRIOR_REGPARAM * unit, solver="sparse_cg", tol=_TOLERANCE, fit_intercept=True)
    return np.asarray(model.fit(X, labels).coef_).ravel()


def without_shared(extra: Iterable[Document], documents: Sequence[Document]) -> tuple[list[Document], int]:
    """The extra documents that have neither an id nor a sentence in common with ``documents``, and how many have.

    The interaction corpora overlap: AImed shares documents with BioInfer and with HPRD50.
    """
    ids = set().union(*map(_ids, documents))
    texts = {_words(sentence.text) for document in documents for sentence in document.sentences}
    kept, shared = [], 0
    for document in extra:
        if _ids(document) & ids or any(_words(sentence.text) in texts for sentence in document.sentences):
            shared += 1
        else:
            kept.append(document)
    return kept, shared


def _ids(document: Document) -> set[str]:
    """Whatever may be the document's PubMed id: some corpora put it in origId, some in an attribute."""
    named = [document.orig_id, *(value for key, value in document.infons if key.lower() == "pmid")]
    return {value for value in named if value}


def _words(text: str) -> str:
    return " ".join(text.lower().split())
