"""The extractor's kernels by name, each as a map to explicit sparse features."""

from __future__ import annotations

from typing import Any

from kernels import (
    AllPathsFeatures,
    CandidateGraph,
    CombinedFeatures,
    ContextFeatures,
    FeatureMap,
    PairFeatures,
    PathFeatures,
)
from kernels.feature_map import check_feature_map
from kernels.parameters import copied
from ppi.extraction import plugins
from ppi.extraction.settings import KERNELS


def feature_map(kernel: Any, *, variant: str = "max", n_features: int | None = None) -> FeatureMap[CandidateGraph]:
    """An unfitted transformer from candidate graphs to CSR.

    ``all-paths`` is the published kernel, not normalized.  The others are cosines; ``composite`` is the mean of
    four: all-paths, context, path, and the shape of the pair.  Its first three are 0 between a pair that its sentence
    denies to interact (:mod:`kernels.negation`) and one that it does not.

    Parameters
    ----------
    kernel
        One of the names above, one that another package offers (:mod:`ppi.extraction.plugins`), or a feature map, of
        which an unfitted copy is given.
    variant
        ``"max"`` or ``"sum"``, of the all-paths kernel.
    n_features
        None to learn a vocabulary; a power of 2 to hash each part into that many columns.

    Raises
    ------
    kernels.FeatureMapError
        If what another package or the caller offers is no feature map.
    UsageError
        If nobody offers a kernel of this name.
    """
    if not isinstance(kernel, str) or kernel not in KERNELS:
        given = plugins.make("kernel", kernel) if isinstance(kernel, str) else kernel
        check_feature_map(kernel if isinstance(kernel, str) else type(kernel).__name__, given)
        return copied(given)
    parts = _parts(variant, n_features)
    if kernel == "all-paths":
        return parts[kernel]
    if kernel != "composite":
        return CombinedFeatures([(kernel, parts[kernel])])
    # what a denied pair has in common with an affirmed one is its shape, not what its words say
    told, again = ("all-paths", "context", "path"), _parts(variant, n_features)
    named = [
        *((name, parts[name], "affirmed") for name in told),
        *((f"denied-{name}", again[name], "denied") for name in told),
        ("pair", parts["pair"], "any"),
    ]
    return CombinedFeatures(
        [(name, part) for name, part, _ in named],
        weights=[1 / len(parts)] * len(named),
        polarity=[polarity for _, _, polarity in named],
    )


def _parts(variant: str, n_features: int | None) -> dict[str, FeatureMap[CandidateGraph]]:
    return {
        # a few cyclic parses of the corpora diverge with the published weights; the map counts them (n_scaled_)
        "all-paths": AllPathsFeatures(variant=variant, on_divergence="scale", n_features=n_features),
        "context": ContextFeatures(n_features=n_features),
        "path": PathFeatures(n_features=n_features),
        "pair": PairFeatures(n_features=n_features),
    }
