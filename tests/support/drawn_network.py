"""The network that a page's explorer shows, asked of the library that draws it."""

from web_browser import until


def drawn(page, what):
    """``nodes``: keys of the proteins; ``edges``: source, target and type of the pairs, all sorted."""
    fields = {"nodes": "one.id()", "edges": "[one.data('source'), one.data('target'), one.data('type')]"}[what]
    found = page.evaluate(f"document.querySelector('.explorer-canvas')._cyreg.cy.{what}().map((one) => {fields})")
    return sorted(found)


def heads(page):
    """The type of every pair, and what its line ends in, sorted."""
    edges = "document.querySelector('.explorer-canvas')._cyreg.cy.edges()"
    return sorted(page.evaluate(f"{edges}.map((one) => [one.data('type'), one.style('target-arrow-shape')])"))


def zoom(page):
    return page.evaluate("document.querySelector('.explorer-canvas')._cyreg.cy.zoom()")


def place(page, key):
    """Where a protein stands in the window."""
    return page.evaluate(
        """(key) => {
            const canvas = document.querySelector('.explorer-canvas');
            const { x, y } = canvas._cyreg.cy.getElementById(key).renderedPosition();
            const box = canvas.getBoundingClientRect();
            return [box.x + x, box.y + y];
        }""",
        key,
    )


def middle(page, source, target):
    """Where the line between two proteins has its middle, in the window."""
    return page.evaluate(
        """([source, target]) => {
            const canvas = document.querySelector('.explorer-canvas');
            const edge = canvas._cyreg.cy.edges().filter(
                (one) => one.data('source') === source && one.data('target') === target)[0];
            const { x, y } = edge.renderedMidpoint();
            const box = canvas.getBoundingClientRect();
            return [box.x + x, box.y + y];
        }""",
        [source, target],
    )


def in_view(page):
    """Scroll to the explorer, and wait until it stands still."""
    page.locator(".explorer-canvas").scroll_into_view_if_needed()
    page.evaluate("window.seen = null")
    until(
        page,
        "(() => { const top = document.querySelector('.explorer-canvas').getBoundingClientRect().top;"
        " const still = window.seen === top; window.seen = top; return still; })()",
    )
