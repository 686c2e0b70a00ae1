"""Checks of what users pass to feature maps: parameters, matrices, graphs, weights, states of fitted maps.

:class:`Parametrized` is scikit-learn's contract for parameters without importing scikit-learn, which takes a second, as
much as everything else that scoring a text needs.  The maps work in scikit-learn's pipelines, and it clones them, all
the same: it asks for these methods, not for its base class.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from inspect import Parameter, signature
from math import isfinite
from numbers import Real
from reprlib import Repr
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from kernels.candidates import CandidateGraph
from kernels.errors import GraphError, ParameterError, ShapeError, StateError

_brief = Repr()
_brief.maxstring = _brief.maxother = 60


class Parametrized:
    """An object whose parameters are the arguments of its ``__init__``, kept untouched under their names."""

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        """The names of the parameters, in order, and their defaults."""
        parameters = list(signature(cls.__init__).parameters.values())[1:]
        kinds = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)  # of a class without __init__ there are none
        return {parameter.name: parameter.default for parameter in parameters if parameter.kind in kinds}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters; if ``deep``, also those of parameters that have some, as ``name__parameter``."""
        params = {name: getattr(self, name) for name in sorted(self._defaults())}
        nested = {name: value for name, value in params.items() if deep and _is_parametrized(value)}
        for name, value in nested.items():
            params.update({f"{name}__{inner}": setting for inner, setting in value.get_params().items()})
        return params

    def set_params(self, **params: Any) -> Self:
        """Set some of what :meth:`get_params` gives."""
        for name, value in params.items():
            parameter, _, inner = name.partition("__")
            if parameter not in self._defaults():
                names = sorted(self._defaults())
                raise ParameterError(
                    f"expected a parameter of {type(self).__name__}, one of {names}, got {parameter!r}"
                )
            if inner:
                getattr(self, parameter).set_params(**{inner: value})
            else:
                setattr(self, parameter, value)
        return self

    def __repr__(self) -> str:
        """How to make it, without what is as by default."""
        changed = {name: getattr(self, name) for name, default in self._defaults().items()}
        changed = {name: value for name, value in changed.items() if repr(value) != repr(self._defaults()[name])}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in changed.items())})"

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn asks of a transformer: it needs no targets."""
        from sklearn.utils import Tags, TargetTags, TransformerTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=False), transformer_tags=TransformerTags())


def _is_parametrized(value: Any) -> bool:
    return hasattr(value, "get_params") and not isinstance(value, type)


def clone_map(value: Any) -> Any:
    """A map that is not fitted, made with copies of the parameters of another: ``sklearn.base.clone``.

    >>> from kernels import ContextFeatures
    >>> clone_map(ContextFeatures(orders=(1, 2)))
    ContextFeatures(orders=(1, 2))
    """
    if hasattr(value, "__sklearn_clone__") and not isinstance(value, type):
        return value.__sklearn_clone__()
    if isinstance(value, list | tuple):
        return type(value)(clone_map(item) for item in value)
    if _is_parametrized(value):
        params = {name: clone_map(parameter) for name, parameter in value.get_params(deep=False).items()}
        return type(value)(**params)
    return deepcopy(value)


def check_fitted(features: Any, attribute: str | None = None) -> None:
    """Refuse a map that is not fitted: that has not this attribute, or says so, or has none that ends in ``_``.

    Raises
    ------
    sklearn.exceptions.NotFittedError
    """
    if attribute is not None:
        fitted = hasattr(features, attribute)
    elif hasattr(features, "__sklearn_is_fitted__"):
        fitted = features.__sklearn_is_fitted__()
    else:
        fitted = any(name.endswith("_") and not name.startswith("__") for name in vars(features))
    if not fitted:
        from sklearn.exceptions import NotFittedError

        raise NotFittedError(f"expected a fitted {type(features).__name__}, got one that is not; call fit first")


def check_matrix(name: str, X: Any) -> Any:
    """``X`` as CSR or a dense array of float64, two-dimensional and finite."""
    if sp.issparse(X):
        X = sp.csr_matrix(X, dtype=np.float64)
        data = X.data
    else:
        X = data = np.asarray(X, dtype=np.float64)
        if X.ndim != 2:
            raise ShapeError(f"expected {name} with two dimensions, got shape {X.shape}; one row per example")
    if not np.isfinite(data).all():
        bad = data[~np.isfinite(data)][0]
        raise ShapeError(f"expected finite entries in {name}, got {bad!r}; remove or replace them")
    return X


def squared_lengths(X: Any) -> NDArray[np.float64]:
    """||x||^2 of each row."""
    X = check_matrix("X", X)
    if sp.issparse(X):
        return np.asarray(X.multiply(X).sum(axis=1)).ravel()
    squares: NDArray[np.float64] = np.einsum("ij,ij->i", X, X)
    return squares


def inverse_root(squares: Any) -> NDArray[np.float64]:
    """1 / sqrt of each number, and 0 for 0."""
    squares = np.asarray(squares, dtype=np.float64)
    roots: NDArray[np.float64] = np.divide(1.0, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)
    return roots


def check_n_features(n_features: int | None) -> None:
    """Refuse a number of hashed columns that is not a power of 2 up to 2^30."""
    if n_features is not None and (
        not isinstance(n_features, int | np.integer) or not 2 <= n_features <= 2**30 or n_features & (n_features - 1)
    ):
        raise ParameterError(f"expected n_features to be None or a power of 2 from 2 to 2**30, got {n_features!r}")


def check_choice(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Refuse a value that is not one of ``allowed``."""
    if value not in allowed:
        raise ParameterError(f"expected {name} to be one of {allowed}, got {value!r}")


def check_subset(name: str, values: Any, allowed: tuple[str, ...]) -> None:
    """Refuse anything but a sequence of one or more of ``allowed``."""
    if isinstance(values, str) or not len(tuple(values)) or not set(values) <= set(allowed):
        raise ParameterError(f"expected {name} to be a sequence of some of {allowed}, got {values!r}")


def check_number(name: str, value: Any, *, maximum: float | None = None) -> None:
    """Refuse what is not a finite number of 0 or more, and of ``maximum`` or less."""
    if not (isinstance(value, Real) and isfinite(value) and 0 <= float(value) <= (maximum or float(value))):
        limits = "of 0 or more" if maximum is None else f"from 0 to {maximum:g}"
        raise ParameterError(f"expected {name} to be a finite number {limits}, got {value!r}")


def check_graphs(graphs: Iterable[CandidateGraph]) -> list[CandidateGraph]:
    """The graphs as a list, if that is what they are."""
    graphs = list(graphs)
    for place, graph in enumerate(graphs):
        if not isinstance(graph, CandidateGraph):
            raise GraphError(
                f"expected CandidateGraph objects, got {type(graph).__name__} at place {place}; "
                "make them with kernels.candidate_graphs"
            )
    return graphs


def check_weights(weights: ArrayLike, n_features: int) -> NDArray[np.float64]:
    """The weights as an array of shape (n_features,) or (n_features, n_outputs)."""
    array = np.asarray(weights, dtype=np.float64)
    if array.ndim not in (1, 2) or len(array) != n_features:
        got = len(array) if array.ndim == 1 else f"shape {array.shape}"
        raise ShapeError(
            f"expected one weight for each of the {n_features} features, got {got}; "
            "pass the coefficients of a model trained on these features"
        )
    return array


def select_columns(keep: ArrayLike, n_features: int) -> NDArray[np.int64]:
    """The columns that ``keep``, True or False for each of the map's, wants."""
    mask = np.asarray(keep)
    if mask.dtype != np.bool_ or mask.shape != (n_features,):
        raise ShapeError(
            f"expected True or False for each of the {n_features} features, "
            f"got {mask.dtype} values of shape {mask.shape}"
        )
    return np.flatnonzero(mask)


def state_field(state: Any, field: str) -> Any:
    """One field of what a feature map's ``state`` should have given."""
    if not isinstance(state, Mapping):
        raise StateError("state", "an object", truncate_repr(state))
    if field not in state:
        raise StateError(field, "a field of the state", f"none called {field!r}")
    return state[field]


def state_texts(state: Any, field: str) -> list[str]:
    """A field that is a list of texts."""
    texts = state_field(state, field)
    if not isinstance(texts, list) or not all(type(text) is str for text in texts):
        raise StateError(field, "a list of texts", truncate_repr(texts))
    return texts


def state_text_pairs(state: Any, field: str) -> list[tuple[str, str]]:
    """A field that is a list of distinct pairs of texts."""
    pairs = state_field(state, field)
    if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise StateError(field, "a list of pairs", truncate_repr(pairs))
    for pair in pairs:
        if not all(type(text) is str for text in pair):
            raise StateError(field, "a list of pairs, each a list of texts", truncate_repr(pair))
    distinct = list(dict.fromkeys((first, second) for first, second in pairs))
    if len(distinct) < len(pairs):
        raise StateError(field, "a list with each pair once", "repeated ones")
    return distinct


def truncate_repr(value: Any) -> str:
    """A value in an error message, cut; the whole of it is never written out."""
    return _brief.repr(value)
