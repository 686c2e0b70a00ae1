"""Names to identifiers: genes, families and complexes, from the lexicon that ships or the user's own.

The names below are imported when they are first used: to tell whether two mentions are one protein takes no numerical
package.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
