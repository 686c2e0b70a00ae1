"""Which model a batch is annotated with, and whether its parses are those that the model knows."""

import warnings

import pytest

import corpora
from corpora import Document, Sentence
from ppi.annotation.annotator import Annotator
from ppi.annotation.process_resources import get_process_parser
from ppi.core import UnknownParserError
from ppi.extraction import Extractor

SAMPLE = corpora.load("sample")


def trained(regparam=1.0, parser=None):
    extractor = Extractor(kernel="path", learner="rls", regparam=regparam).fit(SAMPLE)
    extractor.facts_ = {name: value for name, value in extractor.facts_.items() if name != "parser"}
    if parser is not None:
        extractor.facts_["parser"] = parser
    return extractor


class TestReplacedModel:
    @pytest.fixture
    def path(self, tmp_path, monkeypatch):
        """A model file that another one takes the place of as soon as a batch is scored."""
        path = tmp_path / "model.zip"
        trained(0.01).save(path)
        other, score = trained(1000.0), Extractor.score_outputs

        def score_and_replace(extractor, graphs):
            scores = score(extractor, graphs)
            other.save(path)
            return scores

        monkeypatch.setattr(Extractor, "score_outputs", score_and_replace)
        return path

    def test_scores_probabilities_and_evidence_are_of_one_model(self, path):
        annotator = Annotator(model=path, parser="given", min_probability=0.0)
        before = annotator.extractor
        found = annotator.annotate(SAMPLE[0])
        assert found
        assert annotator.extractor is not before
        for interaction in found:
            assert interaction.evidence.explanation.score == pytest.approx(interaction.score)
            assert interaction.evidence.explanation.intercept == before.intercept_
            assert interaction.probability == before.probabilities([interaction.score])[0]

    def test_the_next_batch_has_the_new_model(self, path):
        annotator = Annotator(model=path, parser="given", min_probability=0.0)
        first, second = annotator.annotate_documents([SAMPLE[0]] * 2, batch_size=1, explain=True)
        intercepts = [each.interactions[0].evidence.explanation.intercept for each in (first, second)]
        assert intercepts[0] != intercepts[1]
        for each in (*first.interactions, *second.interactions):
            assert each.evidence.explanation.score == pytest.approx(each.score)


class TestParses:
    def told(self, model, parser, *documents):
        """The warnings of an annotator that is used twice."""
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            annotator = Annotator(model=model, parser=parser, min_probability=0.0)
            for _ in range(2):
                list(annotator.annotate_documents(documents))
        return [str(each.message) for each in found if "trained on" in str(each.message)]

    def test_another_parser_is_told_once(self):
        text = Document("d", (Sentence("s", "Profilin binds actin."),))
        annotator = Annotator(model=trained(parser="split_parse"))
        with pytest.warns(
            UserWarning,
            match=r"expected parses of 'split_parse', which the model was trained on, got those of 'shipped'.*"
            r"try --parser split_parse .*ppi train --parser shipped",
        ):
            annotator.annotate_document(text)
        assert len(self.told(trained(parser="split_parse"), "shipped:bc2gm", text)) == 1

    @pytest.mark.parametrize("recorded", ["shipped", "shipped:jnlpba"])
    def test_options_of_a_parser_make_no_difference(self, recorded):
        assert self.told(trained(parser=recorded), "shipped:bc2gm", SAMPLE[0]) == []

    def test_given_parses_are_known_by_their_name(self):
        assert self.told(trained(parser="gold"), "given", *SAMPLE[:2]) == []
        assert self.told(trained(parser="gold"), "given:gold", *SAMPLE[:2]) == []
        (told,) = self.told(trained(parser="shipped"), "given", *SAMPLE[:2])
        assert "got those of 'gold'" in told

    def test_collapsed_parses_are_those_of_their_parser(self):
        assert get_process_parser("given:gold-enhanced").parse_source(()) == "gold"

    @pytest.mark.parametrize("recorded", [None, 7, ["shipped"]])
    def test_what_is_not_recorded_is_not_told(self, recorded):
        assert self.told(trained(parser=recorded), "given", SAMPLE[0]) == []

    def test_the_shipped_model_and_parser_belong_together(self):
        assert self.told(None, "shipped:bc2gm", SAMPLE[0]) == []

    def test_a_parser_that_is_not_there_is_an_error_and_nothing_else(self):
        model = trained(parser="shipped")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(UnknownParserError):
                Annotator(model=model, parser="no_such_pipeline")

    def test_the_parse_of_a_name_is_taken(self):
        documents = [SAMPLE[0].with_parses(["gold"])]
        by_name, only = (
            list(Annotator(parser=parser, min_probability=0.0).annotate_documents(documents))
            for parser in ("given:gold", "given")
        )
        assert by_name == only


def test_a_batch_raises_what_one_of_its_documents_raises():
    clash = Document("bad", (Sentence("s", "A binds B. C binds D."), Sentence("s.0", "E binds F.")))
    annotator = Annotator(min_probability=0.0)
    assert [each.document.id for each in annotator.annotate_batch(SAMPLE[:2])] == [each.id for each in SAMPLE[:2]]
    assert annotator.annotate_batch([]) == []
    with pytest.raises(corpora.CorpusError, match=r"s\.0"):
        annotator.annotate_batch([SAMPLE[0], clash])
