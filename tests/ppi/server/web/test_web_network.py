"""The network of the page: explored with mouse, keyboard, search and filters."""

import pytest
from drawn_network import drawn, in_view, middle, place, zoom
from waiting import wait_until
from web_browser import open_page, until

TYPED = "This is typed. CFL1 binds ACT1. LIMK1 phosphorylates CFL1. RHOA1 activates ROCK1. LIMK1 binds CFL1. "


def annotate(page, text):
    page.fill("#text", text)
    page.click("#annotate")
    page.wait_for_selector("#results:not([hidden])")


def chain(count):
    """Every protein binds the next: ``count`` pairs."""
    return " ".join(f"GEN{n} binds GEN{n + 1}." for n in range(count))


def note(page):
    return page.inner_text(".explorer-note")


def height(page):
    return page.evaluate("document.querySelector('.explorer-canvas').clientHeight")


def test_a_click_on_a_line_shows_its_best_evidence(page):
    annotate(page, "RAD51 binds BRCA2. MDM2 and TP53 and RAD51 and BRCA2.")
    in_view(page)
    page.mouse.click(*middle(page, "name:brca2", "name:rad51"))
    page.wait_for_selector("#evidence img")
    assert page.inner_text("#evidence-heading") == "RAD51 – BRCA2: 0.95"


def test_a_click_on_a_protein_tells_who_it_is_and_what_it_does(page):
    annotate(page, TYPED)
    in_view(page)
    page.mouse.click(*place(page, "name:cfl1"))
    page.wait_for_selector(".explorer-details:not([hidden])")
    assert page.inner_text(".explorer-details h3") == "CFL1"
    assert sorted(page.locator(".explorer-details .pair").all_inner_texts()) == [
        "ACT1 — CFL1",
        "CFL1 — LIMK1",
        "LIMK1 → CFL1",
    ]
    page.get_by_role("button", name="Only its pairs").click()
    assert drawn(page, "nodes") == ["name:act1", "name:cfl1", "name:limk1"]
    assert note(page) == "The 3 pairs of CFL1, of 4 pairs."
    page.get_by_role("button", name="Clear").click()
    assert not page.is_visible(".explorer-details")
    assert len(drawn(page, "nodes")) == 5


def test_the_best_of_many_pairs_are_drawn_and_the_page_says_so_above(page):
    annotate(page, chain(120))
    assert note(page).startswith("The 80 best supported of 120 pairs: 81 proteins.")
    assert len(drawn(page, "edges")) == 80
    order = (
        "document.querySelector('.explorer-note').compareDocumentPosition(document.querySelector('.explorer-canvas'))"
    )
    assert page.evaluate(order) == 4  # it follows
    page.select_option("#explorer-count", "160")
    assert len(drawn(page, "edges")) == 120
    assert note(page).startswith("121 proteins and 120 pairs")
    page.select_option("#explorer-count", "40")
    # a protein beyond those that are drawn is found all the same, and drawn with its pairs
    page.fill("#explorer-search", "gen119")
    page.press("#explorer-search", "Enter")
    assert "name:gen119" in drawn(page, "nodes")
    assert "and all of GEN119" in note(page)
    page.fill("#explorer-search", "nobody")
    page.press("#explorer-search", "Enter")
    assert note(page) == "No protein here is called “nobody”."


def test_threshold_and_types_leave_no_lonely_protein(page):
    annotate(page, TYPED + "RAD51 and BRCA2 and TP53.")
    page.locator("#threshold").fill("0.3")
    assert len(drawn(page, "nodes")) == 8
    page.uncheck("#types input[value=binding]")
    linked = {end for edge in drawn(page, "edges") for end in edge[:2]}
    assert set(drawn(page, "nodes")) == linked
    page.locator("#threshold").fill("0.99")
    assert drawn(page, "nodes") == []
    assert "No pair at this threshold" in note(page)
    assert not page.is_visible(".explorer-canvas")


def test_small_networks_take_little_room_and_large_ones_no_more_than_a_window(page):
    annotate(page, chain(4))
    assert height(page) < 260
    annotate(page, chain(8))
    assert height(page) < 400
    annotate(page, chain(150))
    assert height(page) <= 640


def test_names_do_not_lie_on_one_another(page):
    annotate(page, " ".join(f"HUB1 binds PARTNER{n}." for n in range(30)))
    boxes = page.evaluate(
        "(() => { const cy = document.querySelector('.explorer-canvas')._cyreg.cy; cy.zoom(1);"
        " return cy.nodes().map((one) => one.boundingBox()); })()"
    )
    assert len(boxes) == 31
    for n, one in enumerate(boxes):
        for other in boxes[:n]:
            across = min(one["x2"], other["x2"]) - max(one["x1"], other["x1"])
            down = min(one["y2"], other["y2"]) - max(one["y1"], other["y1"])
            assert across < 3 or down < 6


def test_names_stand_above_where_a_line_runs_below(page):
    annotate(page, " ".join(f"HUB1 binds PARTNER{n}." for n in range(4)))
    crossed = page.evaluate(
        """(() => {
          const cy = document.querySelector('.explorer-canvas')._cyreg.cy;
          const free = (node, side) => cy.edges().every((edge) => {
            const [a, b] = [edge.source().position(), edge.target().position()];
            return Array.from({ length: 101 }, (_, n) => n / 100).every((t) => {
              const [x, y] = [a.x + t * (b.x - a.x) - node.position("x"), a.y + t * (b.y - a.y) - node.position("y")];
              const away = (side === "bottom" ? y : -y) - node.data("size") / 2;
              return away < 0 || away > 20 || Math.abs(x) > 15;
            });
          });
          return cy.nodes().map((node) => [node.data("side"), free(node, node.data("side")), free(node, "top")]);
        })()"""
    )
    assert {side for side, *_ in crossed} <= {"top", "bottom"}
    assert all(free for side, free, _ in crossed if side == "top")
    assert any(side == "top" for side, *_ in crossed)


def test_zoom_drag_and_fit(page):
    annotate(page, chain(60))
    in_view(page)
    before = zoom(page)
    page.get_by_role("button", name="Zoom in").click()
    assert zoom(page) > before
    page.get_by_role("button", name="Show everything").click()
    assert zoom(page) == pytest.approx(before)
    x, y = place(page, "name:gen5")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 30, steps=4)
    page.mouse.up()
    assert place(page, "name:gen5") == pytest.approx([x + 40, y + 30], abs=3)
    # the wheel alone scrolls the page, with Ctrl it zooms
    page.mouse.move(x, y)
    page.mouse.wheel(0, 40)
    assert zoom(page) == pytest.approx(before)
    page.keyboard.down("Control")

    def is_zoomed():
        # a turn that follows closely on scrolling belongs to it: then the wheel is turned again, after a pause
        page.mouse.move(*place(page, "name:gen30"))
        page.mouse.wheel(0, -200)
        page.wait_for_timeout(600)
        return zoom(page) > 1.02 * before

    wait_until(is_zoomed)
    page.keyboard.up("Control")


def test_the_keyboard_moves_zooms_and_chooses(page):
    annotate(page, TYPED)
    page.focus(".explorer-canvas")
    before, start = zoom(page), place(page, "name:cfl1")
    page.keyboard.press("+")
    assert zoom(page) > before
    page.keyboard.press("0")
    assert zoom(page) == pytest.approx(before)
    page.keyboard.press("ArrowRight")
    assert place(page, "name:cfl1")[0] == pytest.approx(start[0] - 60, abs=2)
    page.keyboard.press("n")
    first = page.inner_text(".explorer-details h3")
    page.keyboard.press("n")
    assert page.inner_text(".explorer-details h3") != first
    page.keyboard.press("p")
    assert page.inner_text(".explorer-details h3") == first
    page.keyboard.press("Escape")
    assert not page.is_visible(".explorer-details")
    page.keyboard.press("n")
    page.focus(".explorer-details .pair")
    page.keyboard.press("Enter")
    page.wait_for_selector("#evidence img")


def test_a_phone_begins_large_enough_to_read(browser, address):
    with open_page(browser, address, viewport={"width": 390, "height": 844}, has_touch=True) as page:
        annotate(page, " ".join(f"HUB1 binds PARTNER{n}." for n in range(40)))
        assert zoom(page) >= 0.7
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        x, y = place(page, "name:hub1")
        box = page.locator(".explorer-canvas").bounding_box()
        assert box["x"] < x < box["x"] + box["width"]
        assert box["y"] < y < box["y"] + box["height"]
        page.get_by_role("button", name="Show everything").click()
        assert zoom(page) < 0.7


def test_a_phone_begins_with_a_full_view(browser, address):
    with open_page(browser, address, viewport={"width": 390, "height": 844}, has_touch=True) as page:
        annotate(page, " ".join(f"A{n} binds B{n}. B{n} binds C{n}." for n in range(20)))
        box, room = page.evaluate(
            """(() => {
              const canvas = document.querySelector('.explorer-canvas');
              const { x1, x2, y1, y2 } = canvas._cyreg.cy.elements().renderedBoundingBox();
              return [[x1, x2, y1, y2], [canvas.clientWidth, canvas.clientHeight]];
            })()"""
        )
        assert zoom(page) >= 0.7
        for low, high, length in ((*box[:2], room[0]), (*box[2:], room[1])):
            fits = high - low <= length
            assert fits or (low <= 20 and high >= length - 20)


def test_a_protein_with_itself_is_a_loop(page):
    annotate(page, "RAD51 binds RAD51. RAD51 binds BRCA2.")
    assert ["name:rad51", "name:rad51", "none"] in drawn(page, "edges")
    page.fill("#explorer-search", "rad51")
    page.press("#explorer-search", "Enter")
    assert "RAD51 – itself" in page.locator(".explorer-details .pair").all_inner_texts()


def test_colours_follow_the_page(browser, address):
    with open_page(browser, address, color_scheme="dark") as page:
        annotate(page, TYPED)
        colour = "document.querySelector('.explorer-canvas')._cyreg.cy.nodes()[0].style('color')"
        assert page.evaluate(colour) == "rgb(230,235,240)"
        page.emulate_media(color_scheme="light")
        until(page, f"{colour} === 'rgb(23,33,43)'")
