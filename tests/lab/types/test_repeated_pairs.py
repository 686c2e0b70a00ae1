"""The share of pairs that are misread wherever they stand, estimated on cases whose share is known."""

import json

import numpy as np
import pytest
from lab.types import repeated_pairs
from lab.types.repeated_pairs import Merged, Said, main, merged, misnamed, misread_relations


def test_a_known_share_is_found_again():
    random = np.random.default_rng(0)
    edges = []
    for _ in range(3000):
        papers = tuple(random.uniform(0.5, 0.9, size=3))
        undisturbed = np.array(papers) / 0.9
        true = random.random() < 0.9 and bool((random.random(3) < undisturbed).any())
        edges.append(Merged(papers, true))
    assert misread_relations(edges) == pytest.approx(0.1, abs=0.03)


def test_edges_of_one_paper_say_nothing():
    few = [Merged((0.9, 0.9), True)] * 10
    assert misread_relations(few + [Merged((0.9,), False)] * 50) == misread_relations(few)
    assert misnamed(few + [Merged((0.9,), False)] * 50) == misnamed(few) == pytest.approx(1 / 12)


def test_papers_count_by_their_best_mention():
    said = [Said("a b", "1", 0.6, False), Said("a b", "1", 0.9, False), Said("a c", "1", 0.7, True)]
    assert merged(said) == [Merged((0.9,), False), Merged((0.7,), True)]


def test_mentions_that_were_kept_give_the_file(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(repeated_pairs, "ERROR_FILE", tmp_path / "error.json")
    said = [Said("a b", str(paper), 0.9, True) for paper in range(3)]
    kept = tmp_path / "mentions.json"
    kept.write_text(json.dumps({"relations": said, "names": said}))
    assert main(["--mentions", str(kept), "--write"]) == 0
    assert "0 of 1 edges of bare text are misnamed" in capsys.readouterr().out
    written = json.loads((tmp_path / "error.json").read_text())
    assert written["names"] == {"share": 0.3333, "edges": 1, "misnamed": 0}
    assert written["error"] == pytest.approx(1 - (1 - written["relations"]["share"]) * (1 - 1 / 3), abs=1e-3)
