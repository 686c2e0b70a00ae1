"""scikit-learn's contract for the parameters of feature maps, without importing scikit-learn.

That takes a second, as much as everything else that scoring a text needs.  The maps work in scikit-learn's pipelines,
and it clones them, all the same: it asks for these methods, not for its base class.
"""

from __future__ import annotations

from copy import deepcopy
from inspect import Parameter, signature
from typing import Any, Self

from kernels.errors import ParameterError


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
                raise ParameterError(
                    f"expected a parameter of {type(self).__name__}, one of {sorted(self._defaults())}, got {parameter!r}"
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
