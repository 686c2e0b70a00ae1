"""The page's scripts, joined into one that may stand in the page itself.

Files are modules for the server's page, which may load them one by one.  A report stands alone, and its content policy
allows one script by its digest: the same files without their imports and the word ``export``, in the order in which
they need each other.  For that an import is one line, and no two files have a name in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

#: In the order in which they need each other.
EXPLORER_MODULES = ("dom.js", "identity.js", "layout.js", "explorer_style.js", "explorer.js")
_IMPORT = re.compile(r"^import .* from .*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def join_modules(modules: Iterable[str]) -> str:
    """Modules as one script in strict mode, with names of its own.

    >>> print(join_modules(['export const one = 1;\\n', 'import { one } from "./one.js";\\nconsole.log(one);\\n']))
    (() => {
    "use strict";
    const one = 1;
    console.log(one);
    })();
    """
    body = "".join(_EXPORT.sub("", _IMPORT.sub("", module)) for module in modules)
    return f'(() => {{\n"use strict";\n{body}}})();'


@cache
def report_script(*, explorer: bool) -> str:
    """The script of a report, with the explorer of networks and the library that draws it, or without."""
    page_script = read_resource("ppi.export", "report.js")
    if not explorer:
        return join_modules([read_resource("ppi.network", "explorer", "dom.js"), page_script])
    parts = [read_resource("ppi.network", "explorer", name) for name in EXPLORER_MODULES]
    return f"{read_resource('ppi.network', 'explorer', 'cytoscape.min.js')}\n{join_modules([*parts, page_script])}"


def read_resource(package: str, *path: str) -> str:
    """A text file of a package."""
    return files(package).joinpath(*path).read_text(encoding="utf-8")
