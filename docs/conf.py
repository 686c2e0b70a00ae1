"""How Sphinx builds the site; ``scripts/docs`` calls it."""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import version as version_of
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

project = "ppi-miner"
author = copyright = "The ppi-miner authors"
version = release = version_of("ppi-miner")
language = "en"

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["_build", "_templates"]
templates_path = ["_templates"]

# Markdown: the tables of contents inside the generated result pages link to headings.
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# What a package's __all__ names is public, and nothing else.
autosummary_generate = True
autosummary_ignore_module_all = False
autosummary_imported_members = False  # beyond __all__
autosummary_context = {"indexed_elsewhere": ["ppi.evaluation.Settings"]}  # what another package exports, too
autodoc_typehints = "none"  # signatures are long enough; the text says what parameters are
autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"
highlight_language = "none"  # formulas are no Python; examples are marked
numpydoc_show_class_members = False  # the template of classes lists them

html_theme = "pydata_sphinx_theme"
html_title = f"ppi-miner {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_sidebars = {page: [] for page in ("architecture", "notation", "index")}  # they have no pages below them
html_copy_source = html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "ppi-miner"},
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "tango",
    "pygments_dark_style": "monokai",
}


# What docstrings write as plain text and reStructuredText takes for markup: |Q| (a substitution), coef_ (a link),
# [Airola2010_, eq. 3] (a link).
_PLAIN = (
    (re.compile(r"(?<![`\\|])\|(?=[^|\s][^|`]*\|)|(?<=[^|\s`\\])\|(?![`|])"), r"\\|"),
    (re.compile(r"\[(\w+\d{4})_(?=[,;\]])"), r"[\1"),
    (re.compile(r"(?<=; )(\w+\d{4})_(?=[,\]])"), r"\1"),
    (re.compile(r"(?<![`\w.:])([a-z]\w*)_(?=[\s.,;:)\]]|$)"), r"``\1_``"),
)
_NO_TEXT = re.compile(r"\s*(>>>|\.\.\.|\.\. )")  # examples, directives
_ENTRY = re.compile(r"\s*[a-z]\w*_( : |$)")  # the name of an attribute, which numpydoc sets
_OPENS_BLOCK = re.compile(r"\s*([-*=~]|\d+\.|\.\. |>>>|.*::$)")  # what an indented block belongs to in another way


def keep_plain_text(app, what, name, obj, options, lines: list[str]) -> None:
    """Formulas, which docstrings indent, become literal blocks; elsewhere what is no markup is quoted."""
    kept: list[str] = []
    above, literal = "", None  # the last line that is not empty; the indentation of what began a literal block
    for line in lines:
        depth = len(line) - len(line.lstrip())
        if literal is not None and (not line.strip() or depth > literal):
            kept.append(line)
            continue
        literal = None
        outer = len(above) - len(above.lstrip())
        if above and kept and not kept[-1].strip() and depth > outer and not _OPENS_BLOCK.match(above):
            kept += [" " * outer + "::", ""]
            literal = outer
        elif not _NO_TEXT.match(line):
            entry = _ENTRY.match(line)
            parts = re.split(r"(``.*?``)", line[entry.end() :] if entry else line)
            for pattern, replacement in _PLAIN:
                parts = [part if part.startswith("``") else pattern.sub(replacement, part) for part in parts]
            line = (entry[0] if entry else "") + "".join(parts)
        if line.endswith("::"):
            literal = depth
        kept.append(line)
        above = line if line.strip() else above
    lines[:] = kept


def write_web_api(app) -> None:
    """The OpenAPI description as the server gives it, beside the schemas that are written by hand."""
    from ppi.server import create_app

    text = json.dumps(create_app().openapi(), indent=1, ensure_ascii=False)
    (HERE / "schemas" / "web-api.json").write_text(text + "\n", encoding="utf-8")


def setup(app) -> None:
    """Called by Sphinx."""
    app.connect("builder-inited", write_web_api)
    app.connect("autodoc-process-docstring", keep_plain_text, priority=100)  # before numpydoc
