"""Reading Reuters-21578: what its files look like, and what can be wrong with them."""

import gzip

import numpy as np
import pytest
from lab.papers.reuters import mod_apte, most_numerous_topics, parse_sgml, read_stories, topic_matrix
from mini_reuters import story_sgml, write_archive, write_collection

from corpora import CorpusNotFoundError, FormatError


def test_entities_and_control_characters_are_undone():
    text = "Profit &lt;ABC> rose 5 pct &amp; 1&#127;2 caf\xe9.\n   More\x1b here &amp;lt; there."
    [story] = parse_sgml(story_sgml(7, text=text))
    assert story.id == 7
    assert story.title == "STORY 7"
    assert story.body == "Profit <ABC> rose 5 pct & 1 2 caf\xe9. More here &lt; there. Reuter"
    assert story.text == f"STORY 7\n{story.body}"


@pytest.mark.parametrize(
    ("used", "split", "expected"),
    [
        ("YES", "TRAIN", "train"),
        ("YES", "TEST", "test"),
        ("YES", "NOT-USED", None),
        ("NO", "TRAIN", None),
        ("BYPASS", "TEST", None),
    ],
)
def test_the_mod_apte_split(used, split, expected):
    [story] = parse_sgml(story_sgml(1, used=used, split=split))
    assert story.split == expected
    assert mod_apte([story]) == ([story] if expected else [])
    assert mod_apte([story], "test") == ([story] if expected == "test" else [])


def test_topics_none_or_several():
    none, several = parse_sgml(story_sgml(1, topics=()) + story_sgml(2, topics=("grain", "corn")))
    assert none.topics == ()
    assert several.topics == ("grain", "corn")


def test_unprocessed_and_brief_stories():
    unprocessed, brief, empty = parse_sgml(
        '<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" NEWID="1"><TEXT TYPE="UNPROC">&#2;\nPLAIN <TITLE>A</TITLE> B</TEXT>'
        '</REUTERS><REUTERS NEWID="2"><TEXT TYPE="BRIEF"><TITLE>ONLY A TITLE</TITLE></TEXT></REUTERS>'
        '<REUTERS NEWID="3"></REUTERS>'
    )
    assert unprocessed.text == "PLAIN A B"
    assert (brief.text, brief.topics, brief.split) == ("ONLY A TITLE", (), None)
    assert empty.text == ""


def test_archives_are_read_in_the_order_of_the_collection(tmp_path):
    files = {"data/reut2-001.sgm": story_sgml(3), "data/reut2-000.sgm": story_sgml(1) + story_sgml(2), "notes.sgm": "x"}
    stories = read_stories(write_archive(tmp_path / "r.tar.gz", files))
    assert [story.id for story in stories] == [1, 2, 3]


def test_the_most_numerous_topics_and_their_matrix():
    stories = list(
        parse_sgml("".join(story_sgml(i, topics=t) for i, t in enumerate([("b", "a"), ("b",), ("c",), ("a",), ()])))
    )
    assert most_numerous_topics(stories, 2) == ["a", "b"]
    assert most_numerous_topics(stories, 9) == ["a", "b", "c"]
    np.testing.assert_array_equal(topic_matrix(stories, ["b", "c"]), [[1, 0], [1, 0], [0, 1], [0, 0], [0, 0]])
    assert topic_matrix([], ["a"]).shape == (0, 1)


def test_what_is_wrong_is_said(tmp_path):
    with pytest.raises(CorpusNotFoundError, match=r"expected a readable archive of Reuters-21578, got: No such file"):
        read_stories(tmp_path / "nowhere.tar.gz")
    plain = tmp_path / "plain.tar.gz"
    plain.write_bytes(b"not a tar at all" * 100)
    with pytest.raises(FormatError, match="expected a complete tar archive, got"):
        read_stories(plain)
    with pytest.raises(FormatError, match=r"expected members named reut2-000\.sgm .* got none"):
        read_stories(write_archive(tmp_path / "other.tar.gz", {"a.sgm": "x"}))
    cut = write_archive(tmp_path / "cut.tar.gz", {"reut2-000.sgm": story_sgml(1)[:-15]})
    with pytest.raises(FormatError, match=r"cut\.tar\.gz:reut2-000\.sgm: .* got 1 opened and 0 closed"):
        read_stories(cut)
    with pytest.raises(FormatError, match=r":2: expected a story with a number as NEWID, got <REUTERS NEWID=\"x\">"):
        list(parse_sgml('\n<REUTERS NEWID="x"></REUTERS>'))


def test_damaged_gzip_is_an_error_of_ours(tmp_path):
    path = write_collection(tmp_path)
    content = gzip.decompress(path.read_bytes())
    short = tmp_path / "short.tar.gz"
    short.write_bytes(gzip.compress(content)[: len(path.read_bytes()) // 2])
    with pytest.raises(FormatError, match="expected a complete tar archive"):
        read_stories(short)


@pytest.mark.slow
def test_the_collection_itself(corpora_folder):
    stories = read_stories(corpora_folder / "ranking" / "reuters21578.tar.gz")
    assert len(stories) == 21_578
    assert [story.id for story in stories] == list(range(1, 21_579))
    assert (len(mod_apte(stories, "train")), len(mod_apte(stories, "test"))) == (9_603, 3_299)  # as its README counts
    counts = dict(zip(("acq", "earn"), topic_matrix(mod_apte(stories), ("acq", "earn")).sum(axis=0)))
    assert counts == {"acq": 2_369, "earn": 3_964}  # 94 + 2275 and 158 + 3806 [Paper I, Table 4]
    assert all(story.text for story in mod_apte(stories))
