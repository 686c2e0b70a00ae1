"""Beams of treebank sentences by parsers that have not seen them, kept compact on disk.

A part holds some hundred sentences as plain arrays; a whole treebank, with 20 trees per sentence, takes some ten
megabytes.  Making them can be stopped at any time and taken up again: finished parts are not made anew.  A manifest
says by which pipelines and from which files; parts of others are refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import spacy
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc
from thinc.api import use_ops

from corpora import atomic_output
from lab.frame.cache import digest
from lab.training.pipeline.treebank import Tree
from ppi.core import UsageError
from ppi.language import BeamTrees, beam_trees, set_sentence_starts
from ppi.parse_ranking import PUNCTUATION

#: Sentences of a part, and of those whose beams advance together.
_PART, _BATCH = 400, 64
_MANIFEST = "manifest.json"


class BeamList(NamedTuple):
    """The beam of a sentence: its trees, how many arcs of each are right (of ``total``), and the document it is from.

    Punctuation does not count.
    """

    trees: BeamTrees
    right: NDArray[np.int16]
    total: int
    document: str


class Job(NamedTuple):
    """Sentences to list, and the folder of the pipeline that lists them."""

    name: str
    pipeline: Path
    sentences: Sequence[tuple[Tree, str]]


def make_lists(
    jobs: Sequence[Job],
    folder: Path,
    *,
    width: int,
    max_trees: int,
    density: float = 0.0,
    report: Callable[[str], None],
) -> None:
    """Make what is not there yet: a file for every so many sentences of each job.

    Raises
    ------
    UsageError
        If the folder holds lists made by other pipelines, or of other sentences.
    """
    folder.mkdir(parents=True, exist_ok=True)
    check_manifest(folder, manifest(jobs, width=width, most=max_trees, density=density))
    for job in jobs:
        nlp = None
        for number, start in enumerate(range(0, len(job.sentences), _PART)):
            path = folder / f"{job.name}-{number:03}.npz"
            if path.exists():
                continue
            nlp = nlp or _load(job.pipeline)
            some = job.sentences[start : start + _PART]
            lists = list(listed(nlp, some, width=width, max_trees=max_trees, density=density))
            with atomic_output(path) as output:
                np.savez_compressed(output, **to_arrays(lists))  # type: ignore[arg-type]
            report(f"{path.name}: {len(lists)} sentences")


def manifest(jobs: Sequence[Job], **beam: Any) -> dict[str, Any]:
    """What lists are made by and of."""
    return {
        **beam,
        "jobs": {
            job.name: {
                "pipeline": digest(job.pipeline),
                "sentences": len(job.sentences),
                "words": sum(len(tree.words) for tree, _ in job.sentences),
            }
            for job in jobs
        },
    }


def check_manifest(folder: Path, wanted: dict[str, Any]) -> None:
    """Write the manifest, or refuse a folder that has another."""
    path = folder / _MANIFEST
    if not path.exists():
        with atomic_output(path) as output:
            output.write((json.dumps(wanted, indent=1) + "\n").encode("utf-8"))
        return
    found = json.loads(path.read_text(encoding="utf-8"))
    different = [key for key in wanted if found.get(key) != wanted[key]]
    if different:
        raise UsageError(
            f"expected candidate lists of the same pipelines and sentences in {str(folder)!r}, got others "
            f"(different: {', '.join(different)}); delete the folder, or name another, to make them anew"
        )


def read_lists(folder: Path, names: Sequence[str]) -> list[BeamList]:
    """The lists of these jobs, in order."""
    found: list[BeamList] = []
    for name in names:
        for path in sorted(folder.glob(f"{name}-[0-9][0-9][0-9].npz")):
            with np.load(path, allow_pickle=False) as arrays:
                found += from_arrays(arrays)
    return found


def listed(nlp: Language, sentences: Sequence[tuple[Tree, str]], **beam: Any) -> Iterator[BeamList]:
    """The beams of treebank sentences, by their own tokens; options are those of ``beam_trees``."""
    parser = nlp.get_pipe("parser")
    for start in range(0, len(sentences), _BATCH):
        some = sentences[start : start + _BATCH]
        docs = [unparsed(nlp, tree) for tree, _ in some]
        beams = beam_trees(parser, docs, **beam)
        for (tree, document), trees in zip(some, beams, strict=True):
            counted = np.array([label != PUNCTUATION for label in tree.labels])
            yield BeamList(trees, right_arcs(trees, tree, counted), int(counted.sum()), document)


def unparsed(nlp: Language, tree: Tree) -> Any:
    """The sentence as a Doc with the tensors and tags of the components before the parser; it is one sentence."""
    doc = Doc(nlp.vocab, words=list(tree.words), spaces=list(tree.spaces))
    starts = np.full(len(doc), -1, dtype=np.int64)
    starts[:1] = 0
    set_sentence_starts(doc, starts)
    for name in ("tok2vec", "tagger"):
        component: Any = nlp.get_pipe(name)
        component.set_annotations([doc], component.predict([doc]))
    return doc


def right_arcs(trees: BeamTrees, gold: Tree, counted: NDArray[np.bool_]) -> NDArray[np.int16]:
    """How many of the tokens that count have the gold head with the gold label, in each tree."""
    number = {name: place for place, name in enumerate(trees.names)}
    labels = np.array([number.get(label, -1) for label in gold.labels])
    same = (trees.heads == np.array(gold.heads)) & (trees.labels == labels) & counted
    counts: NDArray[np.int16] = same.sum(axis=1).astype(np.int16)
    return counts


def to_arrays(lists: Sequence[BeamList]) -> dict[str, NDArray[Any]]:
    """Lists as plain arrays: those of all sentences one behind the other."""
    names = list(dict.fromkeys(name for each in lists for name in each.trees.names))
    number = {name: place for place, name in enumerate(names)}
    texts = [[each.trees.words, each.trees.tags, each.document] for each in lists]
    labels = [np.array([number[name] for name in each.trees.names])[each.trees.labels].ravel() for each in lists]
    described = json.dumps({"names": names, "sentences": texts}, ensure_ascii=False).encode("utf-8")
    return {
        "texts": np.frombuffer(described, dtype=np.uint8),
        "counts": np.array([[len(each.right), each.total] for each in lists], dtype=np.int32),
        "heads": np.concatenate([each.trees.heads.ravel() for each in lists]),
        "labels": np.concatenate(labels).astype(np.uint8),
        "costs": np.concatenate([each.trees.costs for each in lists]).astype(np.float32),
        "right": np.concatenate([each.right for each in lists]),
    }


def from_arrays(arrays: Any) -> list[BeamList]:
    """What ``to_arrays`` made arrays of."""
    described = json.loads(bytes(arrays["texts"]).decode("utf-8"))
    names, found = tuple(described["names"]), []
    heads, labels, costs, right = (arrays[name] for name in ("heads", "labels", "costs", "right"))
    cell = tree = 0
    for (words, tags, document), (trees, total) in zip(described["sentences"], arrays["counts"].tolist()):
        shape, cells = (trees, len(words)), slice(cell, cell + trees * len(words))
        beam = BeamTrees(
            tuple(words),
            tuple(tags),
            heads[cells].reshape(shape),
            labels[cells].reshape(shape).astype(np.int16),
            costs[tree : tree + trees].astype(np.float64),
            names,
        )
        found.append(BeamList(beam, right[tree : tree + trees], total, document))
        cell, tree = cells.stop, tree + trees
    return found


def _load(pipeline: Path) -> Language:
    with use_ops("numpy", use_blis=False):
        return spacy.load(pipeline)
