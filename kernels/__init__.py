"""Kernels: candidate graphs, explicit sparse features, Gram matrices and the Nystrom map.

Documents become candidate graphs (:func:`candidate_graphs`), these become rows of features
(:class:`AllPathsFeatures`, :class:`ContextFeatures`, :class:`PathFeatures`, or several in
:class:`CombinedFeatures`), and rows become kernel matrices (:func:`linear_gram`, the kernel objects) or
low-dimensional vectors (:class:`NystromMap`).

What needs scikit-learn, networkx or numba is imported when it is first used: scoring a few candidates needs none.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
