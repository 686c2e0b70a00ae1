"""The printed form of a linkage, read strictly."""

import pytest

from ppi.parse_ranking.link_parser import Link, UnreadableLinkage, read_linkage, split_linkages

HEADER = "\tUnique linkage, cost vector = (UNUSED=1 DIS= 0.10 LEN=15)\n"
TABLE = """\
       LEFT-WALL      Xp            ----Xp-----  Xp              .
 (m)   LEFT-WALL      hWV           >---WV---->  dWV             binds.v
 (m)   protein.s      Ss*s          ----Ss*s---  Ss              binds.v
 (m)   (              dXdp          <---Xdp----  Xd              x.n
 (m)   x.n            Xc            ----Xcp--->  dXcp            )
       .              RW            ----RW-----  RW              RIGHT-WALL

"""
WORDS = "[(LEFT-WALL)(protein.s)(binds.v)(()(x.n)())\n([now])(.)(RIGHT-WALL)]\n"
LINKS = "[[0 7 0 (Xp)][0 2 0 (WV)][1 2 0 (Ss*s)]\n[3 4 0 (Xdp)][4 5 0 (Xcp)][7 8 1 (RW)]]\n[0]\n\n"


def test_a_linkage_by_hand():
    linkage = read_linkage(HEADER + TABLE + WORDS + LINKS)
    assert linkage.words == ("LEFT-WALL", "protein.s", "binds.v", "(", "x.n", ")", "[now]", ".", "RIGHT-WALL")
    assert (linkage.unused, linkage.disjunct_cost, linkage.length) == (1, 0.10, 15)
    assert linkage.links == (
        Link(0, 7, "Xp"),
        Link(0, 2, "WV", head=0),
        Link(1, 2, "Ss*s"),
        Link(3, 4, "Xdp", head=4),
        Link(4, 5, "Xcp", head=4),
        Link(7, 8, "RW"),
    )


def test_a_linkage_without_links():
    linkage = read_linkage(HEADER + "\n[(LEFT-WALL)([of])(RIGHT-WALL)]\n[]\n[0]\n")
    assert linkage.words == ("LEFT-WALL", "[of]", "RIGHT-WALL")
    assert linkage.links == ()


def test_an_answer_is_split_at_its_headers():
    several = HEADER.replace("Unique linkage", "Linkage 1") + "one\n" + HEADER.replace("Unique linkage", "Linkage 2")
    assert [len(part.split("\n")) for part in split_linkages("Found 2 linkages\n" + several)] == [3, 2]
    assert split_linkages("No complete linkages found.\n") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEADER, "expected a header, words and links"),
        (HEADER + TABLE + WORDS, "expected a header, words and links"),
        (HEADER + TABLE + WORDS + LINKS.replace("4 5 0", "4 50 0"), "expected links between 9 words"),
        (HEADER + TABLE + WORDS + LINKS.replace("4 5 0", "x 5 0"), "expected links between 9 words"),
        (HEADER + TABLE + WORDS.replace("RIGHT-WALL", "x") + LINKS, "expected words between two walls"),
        (HEADER + TABLE + WORDS + LINKS.replace("WV", "Wd"), "expected a link of type 'Wd'"),
        (HEADER + WORDS + LINKS, "expected a line for each of 6 links, got 0"),
    ],
)
def test_anything_else_is_refused(text, message):
    with pytest.raises(UnreadableLinkage, match=message):
        read_linkage(text)
