import multiprocessing
import re
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing.reduction import ForkingPickler  # what processes send each other, in memory

import pytest
from annotation_jobs import scored

import corpora
from corpora import CorpusError, Document, Entity, Pair, Sentence
from kernels import candidate_graph
from ppi.annotation.annotator import Annotator
from ppi.annotation.pairs import is_protein
from ppi.annotation.process_resources import get_process_parser
from ppi.core import AnnotationError, ModelFileError, TrainingError, UnknownParserError, UsageError
from ppi.extraction import Extractor
from ppi.grounding import EXACT_SYMBOL, GroundingCandidate
from ppi.language import DEFAULT_PARSER

TEXT = "Profilin binds actin. The weather was fine. RAD51 interacts with BRCA2 but not with cofilin."
ABSTRACTS = corpora.load("abstracts")


@pytest.fixture(scope="module")
def annotator():
    return Annotator(min_probability=0.0)


def spans_of(text, *names):
    return [(text.index(name), text.index(name) + len(name)) for name in names]


def essence(interactions):
    return [(one.pair, one.names, one.score) for one in interactions]


class TestEntities:
    def test_given_offsets_are_used_exactly(self, annotator):
        found = annotator.annotate(TEXT, entities=spans_of(TEXT, "weather", "fine", "actin"))
        assert [one.names for one in found] == [("weather", "fine")]
        assert found[0].sentence == "The weather was fine."
        assert TEXT[found[0].offset :].startswith(found[0].sentence)

    def test_given_entities_keep_their_ids_and_identifiers(self, annotator):
        (start, end), (first, last) = spans_of(TEXT, "RAD51", "BRCA2")
        given = [
            Entity("x", "RAD51", ((start, end),), "Gene", ("5888",)),
            Entity("y", "BRCA2", ((first, last),), "Gene", ("675",)),
        ]
        (one,) = annotator.annotate(TEXT, entities=given)
        assert [(entity.id, entity.identifiers) for entity in one.proteins] == [("x", ("5888",)), ("y", ("675",))]
        assert [one.sentence[slice(*entity.spans[0])] for entity in one.proteins] == ["RAD51", "BRCA2"]

    def test_no_given_entities_means_none(self, annotator):
        assert annotator.annotate(TEXT, entities=[]) == []

    def test_names_are_found_otherwise(self, annotator):
        assert ("Profilin", "actin") in [one.names for one in annotator.annotate(TEXT, explain=False)]

    def test_entities_of_a_document_are_used(self, annotator):
        sentence = Sentence("s", "The weather was fine.", (Entity("a", "weather", ((4, 11),)),))
        sentence = replace(sentence, entities=(*sentence.entities, Entity("b", "fine", ((16, 20),))))
        annotated = annotator.annotate_document(Document("d", (sentence,)))
        assert [one.names for one in annotated.interactions] == [("weather", "fine")]
        assert annotated.document.sentences[0].entities == sentence.entities

    def test_chemicals_and_diseases_are_neither_paired_nor_blinded(self, annotator):
        text = "Aspirin stops RAD51 from binding BRCA2."
        spans = spans_of(text, "Aspirin", "RAD51", "BRCA2")
        kinds = ["Chemical", "Gene", "Gene"]
        given = [Entity(f"e{n}", text[a:b], ((a, b),), kind) for n, ((a, b), kind) in enumerate(zip(spans, kinds))]
        (one,) = annotator.annotate(text, entities=given)
        assert one.names == ("RAD51", "BRCA2")
        (alone,) = annotator.annotate(text, entities=spans[1:])
        assert one.score == alone.score

    def test_a_mention_has_no_pair_with_itself_or_with_its_double(self, annotator):
        text = "RAD51 binds BRCA2."
        places = spans_of(text, "RAD51", "RAD51", "BRCA2")
        given = [Entity(f"e{number}", text[a:b], ((a, b),)) for number, (a, b) in enumerate(places)]
        (one,) = annotator.annotate(text, entities=given)  # each RAD51 with BRCA2 is one statement
        assert [len(one.aliases), one.aliases[0].proteins[0].text] == [1, "RAD51"]
        assert annotator.annotate(text, entities=given[:2]) == []

    def test_overlapping_mentions_are_a_pair(self, annotator):
        text = "The Fas ligand complex is stable."
        (one,) = annotator.annotate(text, entities=spans_of(text, "Fas", "Fas ligand"))
        assert one.names == ("Fas", "Fas ligand")

    @pytest.mark.parametrize("wrong", [(5, 5), (-1, 3), (0, 10_000), ("a", 2), (1, 2, 3), 4])
    def test_offsets_outside_the_text(self, annotator, wrong):
        with pytest.raises(UsageError, match=r"expected mentions as \(start, end\) inside the 92 characters"):
            annotator.annotate(TEXT, entities=[wrong])

    def test_entities_beside_a_document(self, annotator):
        with pytest.raises(UsageError, match="expected entities inside the document"):
            annotator.annotate(ABSTRACTS[0], entities=[(0, 1)])

    def test_an_entity_whose_text_is_elsewhere(self, annotator):
        with pytest.raises(UsageError, match="expected the text 'BRCA1' of entity 'e'"):
            annotator.annotate(TEXT, entities=[Entity("e", "BRCA1", ((0, 5),))])


class TestTexts:
    @pytest.mark.parametrize("text", ["", " \n\n\t ", "No protein here.", "RAD51", "\ud800", "?!. ...", "\x00 \x01"])
    def test_text_without_a_pair(self, annotator, text):
        assert annotator.annotate(text) == []

    def test_bytes_are_refused(self, annotator):
        with pytest.raises(UsageError, match="expected text or a Document, got bytes; decode bytes first"):
            annotator.annotate(b"text")

    def test_empty_documents(self, annotator):
        empty = [Document("a"), Document("b", (Sentence("s", ""),))]
        assert [each.document.id for each in annotator.annotate_documents(empty)] == ["a", "b"]

    def test_sixty_proteins_make_1770_pairs(self):
        text = "We tested " + ", ".join(f"P{n}" for n in range(60)) + "."
        spans = [found.span() for found in re.finditer(r"P\d+", text)]
        everything = Annotator(min_probability=0.0, include_negated=True, include_hedged=True, grounding=False)
        found = everything.annotate(text, entities=spans, explain=False)
        assert len(found) == 1770
        assert len({one.pair for one in found}) == 1770

    def test_too_long_sentences_are_named_and_counted(self):
        short = Annotator(min_probability=0.0, max_tokens=10)
        sentence = "RAD51 " + "and so on " * 10 + "binds BRCA2"
        entities = tuple(
            Entity(id, sentence[slice(*span)], (span,)) for id, span in zip("ab", spans_of(sentence, "RAD51", "BRCA2"))
        )
        given = Document("d", (Sentence("s", sentence, entities),))
        with pytest.warns(UserWarning, match=r"1 sentences of more than 10 tokens or 5000 pairs were not.*'s'"):
            annotated = short.annotate_document(given)
        assert annotated.skipped == ("s",)
        assert annotated.interactions == ()

    def test_sentences_with_too_many_pairs_too(self):
        text = "RAD51, BRCA2 and TP53 were tested."
        few = Annotator(min_probability=0.0, max_pairs=2)
        with pytest.warns(UserWarning, match="1 sentences of more than 500 tokens or 2 pairs were not searched"):
            assert few.annotate(text, entities=spans_of(text, "RAD51", "BRCA2", "TP53")) == []
        assert len(few.annotate(text, entities=spans_of(text, "RAD51", "BRCA2"), explain=False)) == 1

    @pytest.mark.parametrize("name", ["max_tokens", "max_pairs"])
    def test_limits_below_one(self, name):
        with pytest.raises(UsageError, match=f"expected {name} of 1 or more, got 0"):
            Annotator(**{name: 0})

    def test_a_long_text(self, annotator):
        copies = 100
        text = (TEXT + "\n\n") * copies
        found = annotator.annotate(text, explain=False)
        assert len(found) == copies * len(annotator.annotate(TEXT, explain=False))
        for one in found:
            assert text[one.offset : one.offset + len(one.sentence)] == one.sentence


class TestInteractions:
    def test_scores_are_those_of_the_extractor(self, annotator):
        annotated = annotator.annotate_document(ABSTRACTS[0])
        for one in annotated.interactions:
            sentence = next(each for each in annotated.document.sentences if each.id == one.sentence_id)
            pair = Pair(one.pair, one.proteins[0].id, one.proteins[1].id)
            proteins = tuple(entity for entity in sentence.entities if is_protein(entity))  # others are words like any
            graph = candidate_graph(replace(sentence, entities=proteins, pairs=(pair,)), pair)
            row = annotator.extractor.feature_matrix([graph])
            (scores,) = row @ annotator.extractor.weights_ + annotator.extractor.intercepts_
            told = dict(zip(annotator.extractor.outputs_, scores.tolist()))
            assert one.score == pytest.approx(told[one.type], abs=1e-6)
            calibrations = annotator.extractor.calibrations_
            assert one.types == pytest.approx({name: calibrations[name](told[name]) for name in one.types}, abs=1e-6)
            any_kind = calibrations["interaction"](told["interaction"])
            assert one.probability == pytest.approx(max(any_kind, *one.types.values()), abs=1e-6)

    def test_only_the_probable_are_given_and_their_ids_stay(self, annotator):
        everything = annotator.annotate(ABSTRACTS[1], explain=False)
        likely = annotator.annotate(ABSTRACTS[1], explain=False, min_probability=0.5)
        assert likely == [one for one in everything if one.probability >= 0.5]
        assert 0 < len(likely) < len(everything)

    def test_ids_are_unique_and_stable(self, annotator):
        first, again = (list(annotator.annotate_documents(ABSTRACTS)) for _ in range(2))
        assert first == again
        for annotated in first:
            ids = [one.pair for one in annotated.interactions]
            assert len(set(ids)) == len(ids)

    def test_annotated_pairs_keep_their_ids(self, annotator):
        document = corpora.load("sample")[0]
        known = {pair.id for sentence in document.sentences for pair in sentence.pairs}
        found = {one.pair for one in annotator.annotate_document(document).interactions}
        assert known & found

    def test_generated_ids_avoid_given_ones(self, annotator):
        text = "RAD51 binds BRCA2 and TP53."
        entities = tuple(
            Entity(f"e{n}", text[a:b], ((a, b),)) for n, (a, b) in enumerate(spans_of(text, "RAD51", "BRCA2", "TP53"))
        )
        sentence = Sentence("s", text, entities, (Pair("s.i0", "e1", "e2"),))
        found = annotator.annotate_document(Document("d", (sentence,))).interactions
        assert sorted(one.pair for one in found) == ["s.i0", "s.i1", "s.i2"]

    def test_evidence_is_given_when_asked_for(self, annotator):
        assert all(one.evidence is not None for one in annotator.annotate(TEXT))
        assert all(one.evidence is None for one in annotator.annotate_document(ABSTRACTS[0]).interactions)

    @pytest.mark.parametrize("wrong", [-0.1, 1.5, "0.5", None])
    def test_probabilities_outside_0_to_1(self, wrong):
        with pytest.raises(UsageError, match="expected a probability from 0 to 1"):
            Annotator(min_probability=wrong)


class TestStreams:
    def test_batches_do_not_change_the_answer(self, annotator):
        one, many = (list(annotator.annotate_documents(ABSTRACTS, batch_size=size)) for size in (1, 64))
        assert [each.document for each in one] == [each.document for each in many]
        for first, second in zip(one, many, strict=True):
            assert [each.pair for each in first.interactions] == [each.pair for each in second.interactions]
            scores = [[each.score for each in annotated.interactions] for annotated in (first, second)]
            assert scores[0] == pytest.approx(scores[1], abs=1e-9)

    def test_documents_are_read_as_they_are_needed(self, annotator):
        taken = []

        def stream():
            for number in range(100):
                taken.append(number)
                yield replace(ABSTRACTS[0], id=str(number))

        answers = annotator.annotate_documents(stream(), batch_size=4)
        assert taken == []
        assert next(answers).document.id == "0"
        assert len(taken) == 4

    def test_the_vocabulary_does_not_grow(self, annotator):
        list(annotator.annotate_documents(ABSTRACTS[:1]))
        nlp = get_process_parser(DEFAULT_PARSER)._nlp
        known = len(nlp.vocab.strings), sum(1 for _ in nlp.vocab)
        fresh = [
            Document(str(n), (Sentence(str(n), f"Xq{n}zr binds Wv{n}kj in the presence of Yt{n}bn."),))
            for n in range(20)
        ]
        list(annotator.annotate_documents(fresh))
        assert (len(nlp.vocab.strings), sum(1 for _ in nlp.vocab)) == known

    def test_a_bad_document_is_named(self, annotator):
        clash = Document("bad", (Sentence("s", "A binds B. C binds D."), Sentence("s.0", "E binds F.")))
        with pytest.raises(AnnotationError, match=r"document 'bad': .*s\.0"):
            list(annotator.annotate_documents([ABSTRACTS[0], clash]))

    def test_bad_documents_can_be_left_out(self, annotator):
        clash = Document("bad", (Sentence("s", "A binds B. C binds D."), Sentence("s.0", "E binds F.")))
        problems = []
        found = list(annotator.annotate_documents([ABSTRACTS[0], clash, ABSTRACTS[1]], problems=problems))
        assert [each.document.id for each in found] == [ABSTRACTS[0].id, ABSTRACTS[1].id]
        assert [problem.id for problem in problems] == ["bad"]


class Marking:
    """A lexicon that knows one name."""

    def candidates(self, name):
        return (GroundingCandidate("ncbigene:675", "BRCA2", "9606", "gene", EXACT_SYMBOL),) if name == "BRCA2" else ()


class TestParts:
    def test_names_go_through_the_lexicon(self):
        annotator = Annotator(min_probability=0.0, lexicon=Marking())
        (one,) = annotator.annotate("RAD51 binds BRCA2.", entities=[(0, 5), (12, 17)])
        assert [entity.identifiers for entity in one.proteins] == [(), ("ncbigene:675",)]

    def test_something_else_than_a_lexicon(self):
        with pytest.raises(UsageError, match=r"expected a lexicon as the path .* or with a method candidates\(name\)"):
            Annotator(lexicon={})

    def test_another_model_as_object_and_as_file(self, tmp_path):
        extractor = Extractor(kernel="path", learner="rls").fit(corpora.load("sample"))
        extractor.save(tmp_path / "model.zip")
        documents = corpora.load("sample")[:3]
        answers = [
            [each.interactions for each in Annotator(model=model, parser="given").annotate_documents(documents)]
            for model in (extractor, tmp_path / "model.zip", str(tmp_path / "model.zip"))
        ]
        assert answers[0] == answers[1] == answers[2]
        assert any(answers[0])

    def test_a_model_file_that_changes_is_read_again(self, tmp_path):
        path = tmp_path / "model.zip"
        scores = []
        for regparam in (0.1, 10.0):
            Extractor(kernel="path", learner="rls", regparam=regparam).fit(corpora.load("sample")).save(path)
            annotator = Annotator(model=path, parser="given", min_probability=0)
            scores.append([one.score for one in annotator.annotate(corpora.load("sample")[0], explain=False)])
        assert scores[0] != scores[1]

    def test_parses_of_the_document(self):
        annotated = Annotator(parser="given", min_probability=0.0).annotate_document(corpora.load("sample")[0])
        assert annotated.interactions
        assert all(len(sentence.parses) == 1 for sentence in annotated.document.sentences)

    def test_a_model_that_is_not_there(self, tmp_path):
        with pytest.raises(ModelFileError, match="expected a readable model file"):
            Annotator(model=tmp_path / "none.zip")

    def test_a_model_without_probabilities(self):
        extractor = Extractor(kernel="path", learner="rls").fit(corpora.load("sample"))
        extractor.calibrations_ = {}
        with pytest.raises(TrainingError, match="expected a calibrated extractor"):
            Annotator(model=extractor)

    def test_a_pipeline_that_is_not_there(self):
        with pytest.raises(UnknownParserError, match="expected a parser"):
            Annotator(parser="no_such_pipeline").annotate(TEXT)


class TestSharing:
    def test_pickled_it_is_small_and_the_same(self, annotator):
        data = ForkingPickler.dumps(annotator)
        assert len(data) < 1000
        assert essence(ForkingPickler.loads(data).annotate(TEXT)) == essence(annotator.annotate(TEXT))

    def test_with_its_own_model_too(self):
        annotator = Annotator(model=Extractor(kernel="path", learner="rls").fit(corpora.load("sample")))
        again = ForkingPickler.loads(ForkingPickler.dumps(annotator))
        assert essence(again.annotate(TEXT)) == essence(annotator.annotate(TEXT))

    def test_threads_get_what_one_would(self, annotator):
        expected = [essence(annotator.annotate(document, explain=False)) for document in ABSTRACTS]
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda each: essence(annotator.annotate(each, explain=False)), ABSTRACTS * 2))
        assert found == expected * 2

    @pytest.mark.parametrize("method", ["spawn", "fork"])
    def test_processes_get_what_one_would(self, annotator, method):
        expected = scored(annotator, TEXT)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # forking beside threads, which is the point here
            with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(method)) as pool:
                found = pool.submit(scored, annotator, TEXT).result(timeout=120)
        assert [each[:2] for each in found] == [each[:2] for each in expected]
        assert [each[2] for each in found] == pytest.approx([each[2] for each in expected], abs=1e-9)


def test_a_lexicon_can_be_the_path_of_one(tmp_path):
    gene = "9606 5216 PFN1 - profilin|ALS18 - 17 17p13.2 profilin protein-coding PFN1 profilin O - 20240101 -"
    columns = "#tax_id GeneID Symbol LocusTag Synonyms dbXrefs chromosome map_location description type_of_gene"
    names = "Symbol_from_nomenclature_authority Full_name_from_nomenclature_authority Nomenclature_status"
    others = "Other_designations Modification_date Feature_type"
    path = tmp_path / "genes.gene_info"
    path.write_text("".join("\t".join(line.split()) + "\n" for line in (f"{columns} {names} {others}", gene)))
    for given in (path, str(path)):
        (found,) = Annotator(lexicon=given).annotate("PFN1 binds actin.")
        assert [len(entity.identifiers) for entity in found.proteins] == [1, 0]
    with pytest.raises(CorpusError, match="no-such-file"):
        Annotator(lexicon=tmp_path / "no-such-file")
    with pytest.raises(UsageError, match="expected a lexicon as the path of a gene_info file"):
        Annotator(lexicon=5)
