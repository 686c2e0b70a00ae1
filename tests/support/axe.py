"""Rules of accessibility (WCAG 2.2 A and AA, and good practice) by axe-core, run in the page."""

from importlib.resources import files

import pytest


def violations(page) -> list[str]:
    """What axe finds, one line each; the test is skipped where axe is not installed."""
    pytest.importorskip("axe_playwright_python", reason="axe-core is not installed: pip install axe-playwright-python")
    script = files("axe_playwright_python").joinpath("axe.min.js").read_text()
    page.evaluate(f"() => {{ if (!window.axe) {{ {script} }} }}")
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    assert len(found["passes"]) > 10  # it has looked
    return [
        f"{one['id']} ({one['impact']}): {one['help']}: {[node['target'] for node in one['nodes'][:4]]}"
        for one in found["violations"]
    ]
