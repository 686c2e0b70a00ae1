"""Word vectors from unlabelled text: what tagger, parser and name finder know of words that no treebank has.

Skip-grams with negative sampling (gensim's word2vec) over paragraphs cut by the shipped tokenizer, in lower case.  The
window is narrow, so that words are near each other when one can stand for the other, rather than when they share a
topic.  One thread and a seed, so that the same text gives much the same vectors.
"""

from __future__ import annotations

import json
import lzma
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.tokenizer import Tokenizer
from spacy.vectors import Vectors
from spacy.vocab import Vocab

from lab.training.pipeline.tokenization import build_tokenizer
from ppi.core import MissingExtraError, UsageError

SETTINGS = Path(__file__).with_name("vectors.toml")


@dataclass(frozen=True)
class WordVectors:
    """A row of ``table`` for each of ``words``, the most frequent first."""

    words: list[str]
    table: np.ndarray

    def save(self, folder: Path) -> None:
        """Write ``words.txt``, one a line, and ``vectors.npy``."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "words.txt").write_text("".join(f"{word}\n" for word in self.words), encoding="utf-8", newline="\n")
        np.save(folder / "vectors.npy", self.table, allow_pickle=False)

    @classmethod
    def load(cls, folder: Path) -> WordVectors:
        """What ``save`` wrote."""
        words = (folder / "words.txt").read_text(encoding="utf-8").split("\n")[:-1]
        table = np.load(folder / "vectors.npy", allow_pickle=False)
        if table.ndim != 2 or len(words) != len(table):
            raise UsageError(
                f"expected a row for each word, got {len(words)} words and an array of shape {table.shape} in "
                f"{str(folder)!r}; delete the folder to make the vectors anew"
            )
        return cls(words, table)


def vector_settings(overrides: dict[str, Any]) -> dict[str, Any]:
    """The settings of ``vectors.toml``, some of them replaced."""
    settings = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))
    unknown = sorted(set(overrides) - set(settings))
    if unknown:
        raise UsageError(f"expected a setting of the vectors ({', '.join(settings)}), got {unknown[0]!r}")
    return settings | overrides


def train_vectors(text: Path, output: Path, **overrides: Any) -> Path:
    """Vectors of the words of ``text`` (.xz, a paragraph per line); returns the folder, where ``save`` put them."""
    settings = vector_settings(overrides)
    output.mkdir(parents=True, exist_ok=True)
    tokens = output / "tokens.txt"  # gensim reads a file several times as fast as it does Python lists
    with lzma.open(text, "rt", encoding="utf-8") as lines, tokens.open("w", encoding="utf-8", newline="\n") as cut:
        cut.writelines(f"{' '.join(words)}\n" for words in tokenized(lines))
    word_vectors(tokens, settings).save(output)
    tokens.unlink()
    return output


def tokenized(lines: Iterable[str]) -> Iterator[list[str]]:
    """Tokens of each line in lower case.

    The rules of the tokenizer never look beyond white space, so each distinct stretch between spaces is cut only once:
    O(words) look-ups, and the regular expressions only for the distinct ones.
    """
    tokenizer = build_tokenizer(Vocab())
    cut: dict[str, list[str]] = {}
    for line in lines:
        yield [token for stretch in line.split() for token in cut.get(stretch) or _cut(tokenizer, cut, stretch)]


def _cut(tokenizer: Tokenizer, known: dict[str, list[str]], stretch: str) -> list[str]:
    tokens = known[stretch] = [token.text.lower() for token in tokenizer(stretch)]
    return tokens


def word_vectors(tokens: Path, settings: dict[str, Any]) -> WordVectors:
    """Vectors of the words of a file of tokens, a paragraph per line; columns have mean 0, and the table unit scale."""
    require_gensim()
    from gensim.models import Word2Vec

    model = Word2Vec(
        corpus_file=str(tokens),
        vector_size=settings["dimensions"],
        window=settings["window"],
        negative=settings["negative"],
        sample=settings["sample"],
        min_count=settings["min_count"],
        epochs=settings["epochs"],
        seed=settings["seed"],
        sg=1,
        workers=1,  # several threads would change the vectors from run to run
    )
    table = np.asarray(model.wv.vectors, dtype=np.float32)
    table = table - table.mean(axis=0)
    return WordVectors(list(model.wv.index_to_key), np.ascontiguousarray(table / table.std()))


def require_gensim() -> None:
    """Raise a MissingExtraError if gensim is not installed."""
    if find_spec("gensim") is None:
        raise MissingExtraError("gensim", "train")


def add_vectors(nlp: Language, vectors: WordVectors, *, words: int) -> None:
    """Give a pipeline the vectors of the most frequent ``words``, found by a token's lower-case form."""
    kept = vectors.words[:words]
    nlp.vocab.vectors = Vectors(
        strings=nlp.vocab.strings, data=vectors.table[:words], keys=kept, name="biomedical", attr="LOWER"
    )
    for word in kept:
        nlp.vocab.strings.add(word)


def keep_attribute(nlp: Language, saved: Path) -> None:
    """Write into a saved pipeline by which form its vectors are found: spaCy reads that, but does not write it."""
    path = saved / "vocab" / "vectors.cfg"
    settings = json.loads(path.read_text(encoding="utf-8")) | {"attr": nlp.vocab.vectors.attr}
    path.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
