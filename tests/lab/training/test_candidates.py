import pytest
from lab.frame.cache import Cache
from lab.training.parse_rankers import candidates
from lab.training.parse_rankers.candidates import candidate_sets
from parse_sets import made_sets

from ppi.core import UsageError


def test_a_short_set_is_not_taken_for_a_complete_one(corpora_folder, tmp_path, monkeypatch):
    monkeypatch.setenv("PPI_CORPORA", str(corpora_folder))
    made = []

    def make(generator, selection, folder, wanted):
        made.append(wanted)
        return made_sets(wanted)

    monkeypatch.setattr(candidates, "_make", make)
    for wanted in (3, 5, 5):
        assert len(candidate_sets("beam", "train", wanted, cache=Cache(tmp_path))) == wanted
    assert made == [3, 5]


def test_candidates_of_another_parser_are_made_anew(corpora_folder, tmp_path, monkeypatch):
    monkeypatch.setenv("PPI_CORPORA", str(corpora_folder))
    for version, count in (("one", 2), ("two", 3), ("one", 4)):
        monkeypatch.setattr(candidates, "generator_version", lambda generator, version=version: version)
        monkeypatch.setattr(candidates, "_make", lambda *given, count=count: made_sets(count))
        found = candidate_sets("link-grammar", "test", 5, cache=Cache(tmp_path))
        assert len(found) == {"one": 2, "two": 3}[version]


def test_candidates_need_the_treebanks(tmp_path, monkeypatch):
    monkeypatch.delenv("PPI_CORPORA", raising=False)
    with pytest.raises(UsageError, match="the environment variable PPI_CORPORA"):
        candidate_sets("beam", "train", 5, cache=Cache(tmp_path))
    monkeypatch.setenv("PPI_CORPORA", str(tmp_path))
    with pytest.raises(UsageError, match=r"expected 'craft-train\.conllu\.gz', got no such file"):
        candidate_sets("beam", "train", 5, cache=Cache(tmp_path))


def test_candidates_are_made_from_the_treebanks_and_kept(corpora_folder, tmp_path, monkeypatch):
    monkeypatch.setenv("PPI_CORPORA", str(corpora_folder))
    made = candidate_sets("beam", "test", 3, cache=Cache(tmp_path))
    assert len(made) == 3
    assert all(len(set(each.goodness)) > 1 for each in made)
    monkeypatch.setattr(candidates, "_make", pytest.fail)
    assert candidate_sets("beam", "test", 3, cache=Cache(tmp_path)) == made


def test_many_are_made_in_chunks_that_are_not_made_again(corpora_folder, tmp_path, monkeypatch):
    monkeypatch.setenv("PPI_CORPORA", str(corpora_folder))
    monkeypatch.setattr(candidates, "generator_version", lambda generator: "one")
    monkeypatch.setattr(candidates, "AT_A_TIME", 3)
    made, stop = [], [True]

    def sets(generator, sentences, wanted):
        made.append(len(sentences))
        if stop[0] and len(made) == 3:
            raise KeyboardInterrupt
        return iter(made_sets(2, seed=len(made)))

    monkeypatch.setattr(candidates, "_sets", sets)
    with pytest.raises(KeyboardInterrupt):
        candidate_sets("link-grammar", "test", 5, cache=Cache(tmp_path))
    stop[0] = False
    assert len(candidate_sets("link-grammar", "test", 5, cache=Cache(tmp_path))) == 5
    assert made == [3, 3, 3, 3]  # the third one twice
