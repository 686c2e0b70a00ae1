"""How good a pipeline is: attachment, tags, lemmas and sentence boundaries on trees; exact names on texts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from spacy.language import Language

from corpora import Document
from lab.training.pipeline.mentions import AnnotatedText
from lab.training.pipeline.readers import tree_example
from lab.training.pipeline.treebank import Tree
from learners import precision_recall_f
from ppi.language import DNA_RNA, FAMILY, OTHER, PROTEIN

#: The kinds of what each corpus marks: BioCreative promoters, antibodies, tags and domains that are named by a gene,
#: too (nothing else is DNA_RNA or OTHER), JNLPBA proteins alone.
WANTED_KINDS = {"bc2gm": (PROTEIN, FAMILY, DNA_RNA, OTHER), "jnlpba": (PROTEIN, FAMILY)}


def parse_scores(nlp: Language, trees: Iterable[Tree], *, gold_tokens: bool = True) -> dict[str, float]:
    """Attachment with and without labels (punctuation aside, as spaCy counts) and tag accuracy, in percent.

    Parameters
    ----------
    gold_tokens
        Whether the treebank's tokens are given, or the pipeline tokenizes the text itself.
    """
    examples = [tree_example(nlp, [tree], gold_tokens=gold_tokens) for tree in trees]
    with nlp.select_pipes(enable=[name for name in nlp.pipe_names if name in ("tok2vec", "tagger", "parser")]):
        scores = nlp.evaluate(examples)
    return {
        "uas": 100 * scores["dep_uas"],
        "las": 100 * scores["dep_las"],
        "tag": 100 * scores["tag_acc"],
        "token_f": 100 * scores["token_f"],
    }


def lemma_accuracy(nlp: Language, trees: Iterable[Tree]) -> float:
    """Percent of the words of letters whose lemma is the treebank's, case aside."""
    right = total = 0
    for tree in trees:
        doc = nlp(tree_example(nlp, [tree], gold_tokens=True).predicted)
        for token, lemma in zip(doc, tree.lemmas):
            if lemma is not None and token.text.isalpha():
                total += 1
                right += token.lemma_.lower() == lemma.lower()
    return 100 * right / total


def sentence_f(nlp: Language, trees: Sequence[Tree], *, size: int = 10) -> float:
    """F of sentence boundaries in runs of ``size`` sentences, in percent."""
    runs = [trees[start : start + size] for start in range(0, len(trees), size)]
    scores = nlp.evaluate([tree_example(nlp, run, gold_tokens=False) for run in runs])
    percent: float = 100 * scores["sents_f"]
    return percent


def name_scores(nlp: Language, texts: Sequence[AnnotatedText], *, kinds: Collection[str]) -> dict[str, float]:
    """Precision, recall and F of names of ``kinds`` found with exactly the annotated characters, in percent."""
    found = right = wanted = 0
    with nlp.select_pipes(enable="ner"):
        for annotated, doc in zip(texts, nlp.pipe([annotated.text for annotated in texts])):
            predicted = {(ent.start_char, ent.end_char) for ent in doc.ents if ent.label_ in kinds}
            found += len(predicted)
            right += len(predicted & set(annotated.spans))
            wanted += len(annotated.spans)
    shares = precision_recall_f(right, found, wanted)
    return {name: 100 * share for name, share in zip(("precision", "recall", "f"), shares)}


def entity_recall(nlp: Language, documents: Iterable[Document]) -> dict[str, float]:
    """Percent of a corpus's own entities that a found protein or family has exactly, or touches."""
    exact = touched = total = 0
    sentences = [sentence for document in documents for sentence in document.sentences]
    with nlp.select_pipes(enable="ner"):
        for sentence, doc in zip(sentences, nlp.pipe([sentence.text for sentence in sentences])):
            found = [(ent.start_char, ent.end_char) for ent in doc.ents if ent.label_ in (PROTEIN, FAMILY)]
            for entity in sentence.entities:
                total += 1
                exact += len(entity.spans) == 1 and entity.spans[0] in found
                touched += any(start < entity.end and entity.start < end for start, end in found)
    return {"exact": 100 * exact / max(total, 1), "overlap": 100 * touched / max(total, 1)}
