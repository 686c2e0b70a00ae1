"""How grounding is measured: sets of documents, given mentions, halves; and what the learner learns from."""

import gzip

import numpy as np
import pytest
from lab.grounding.gold import SETS, GeneMention, GoldDocument, overlapping, with_mentions
from lab.grounding.scores import mention_scores, set_scores
from lab.training.grounding.examples import Examples
from lab.training.grounding.fitting import Moments, Products, folds_of

from corpora import Document, Entity, Sentence

TEXT = "p53 binds Mdm2 in mice."


def gold(id="2", *mentions):
    return GoldDocument(Document(id, (Sentence("s", TEXT),)), mentions)


def mention(start, end, *numbers, taxid=None):
    return GeneMention((start, end), TEXT[start:end], numbers, (taxid,) * len(numbers))


def answer(*entities):
    """(start, end, identifiers, remarks) each."""
    made = tuple(
        Entity(f"e{n}", TEXT[start:end], ((start, end),), identifiers=ids, infons=tuple(remarks.items()))
        for n, (start, end, ids, remarks) in enumerate(entities)
    )
    return Document("2", (Sentence("s", TEXT, made),))


def test_sets_of_documents():
    golds = [gold("2", mention(0, 3, "22059"), mention(10, 14, "17246", "9999"))]
    found = [answer((0, 3, ("ncbigene:22059",), {}), (10, 14, ("ncbigene:1", "rgd:7"), {"members": "2"}))]
    scores = set_scores(golds, found, human=False)
    assert (scores.precision, scores.recall) == (1 / 2, 1 / 3)
    assert scores.strict_f == pytest.approx(2 * 1 / (3 + 3))


def test_ambiguous_mentions_give_none_or_all():
    golds = [gold("2", mention(0, 3, "22059"))]
    found = [answer((0, 3, ("ncbigene:22059", "ncbigene:7157"), {"ambiguous": "2"}))]
    scores = set_scores(golds, found, human=False)
    assert scores.recall == 0
    assert scores.ambiguous_f == pytest.approx(2 / 3)


def test_families_are_no_genes():
    golds = [gold("2", mention(0, 3, "22059"))]
    found = [answer((0, 3, ("fplx:P53",), {"entity_kind": "family"}))]
    assert set_scores(golds, found, human=False).strict_f == 0


def test_human_genes_alone():
    golds = [gold("2", mention(0, 3, "7157"), mention(10, 14, "17246", taxid="10090"))]
    assert golds[0].genes(human=True) == {"7157"}
    found = [
        answer((0, 3, ("ncbigene:7157",), {"species": "9606"}), (10, 14, ("ncbigene:17246",), {"species": "10090"}))
    ]
    assert set_scores(golds, found, human=True).f == 1


def test_given_mentions():
    golds = [gold("2", mention(0, 3, "22059"), mention(10, 14, "17246", "2"), mention(18, 22, "3"))]
    found = [answer((0, 3, ("ncbigene:22059",), {}), (10, 14, ("ncbigene:2",), {}))]
    scores = mention_scores(golds, found, known={"22059", "2"})
    assert (scores.accuracy, scores.reachable_accuracy, scores.reachable) == (2 / 3, 1, 2 / 3)


def test_mentions_without_their_genes():
    document = with_mentions(gold("2", mention(0, 3, "22059")))
    (entity,) = document.sentences[0].entities
    assert (entity.text, entity.type, entity.identifiers) == ("p53", "Gene", ())


def test_genes_that_share_a_character():
    assert overlapping(gold("2", mention(0, 3, "22059"), mention(10, 14, "17246")), [(2, 5)]) == {"22059"}


def test_files_are_read_in_halves(tmp_path):
    (tmp_path / "genes").mkdir()
    genes, other = "2\t0\t3\tp53\tGene\t22059(Tax:10090),7157", "2\t7\t11\tmice\tSpecies\t10090"
    rows = ["2|t|p53 in mice", "2|a|Text.", genes, other]
    with gzip.open(tmp_path / "genes" / SETS[0].file, "wt") as file:
        file.write("\n".join(rows) + "\n\n3|t|Title\n3|a|Text.\n")
    even, odd = SETS[0].read(tmp_path)
    assert even.is_for_choosing
    assert not odd.is_for_choosing
    assert even.mentions == (GeneMention((0, 3), "p53", ("22059", "7157"), ("10090", None)),)
    assert even.document.sentences[0].entities == ()


def test_leaving_out_a_fold_by_subtraction_equals_learning_without_it():
    random = np.random.default_rng(1)
    features = random.integers(0, 2, size=(60, 6)).astype(np.float32)
    made = Examples(features, np.sign(random.normal(size=60)).astype(np.float32), 2 * np.arange(60))
    fold_of, products = folds_of(made.documents, 3), Products(features)
    parts = [Moments.of(products, made, fold_of == fold) for fold in range(3)]
    quick = products.spread((parts[0] + parts[1] + parts[2] - parts[1]).weights(2.0))
    first, second = np.triu_indices(6)
    values = (features[:, first] * features[:, second])[fold_of != 1].astype(float)
    wanted = made.targets[fold_of != 1]
    slow = np.linalg.solve(values.T @ values + 2.0 * np.eye(values.shape[1]), values.T @ wanted)
    np.testing.assert_allclose(quick, slow, atol=1e-4)
