"""Writing CoNLL-U and CoNLL-X.

A sentence is written with one tokenization.  A parse in which every token has at most one head goes to the HEAD
column; a general graph goes to CoNLL-U's DEPS column, mentions to its MISC column.  What does not fit (further parses,
pairs ...) is counted as lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import IO

from corpora.formats.common import encode_utf8, sentence_id
from corpora.formats.conll import ENHANCED, NO_SPACE
from corpora.formats.conll_entities import marks_of
from corpora.loss import ConversionLosses
from corpora.types import DependencyGraph, Document, MultiwordToken, Sentence, Token

_BREAKS = str.maketrans("\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029", " " * 11)


def write_conllu(documents: Iterable[Document], output: IO[bytes], losses: ConversionLosses) -> None:
    """Write CoNLL-U with document, sentence and text comments."""
    for document in documents:
        _count_document_losses(document, losses)
        head = f"# newdoc id = {document.id}\n"
        for sentence in document.sentences:
            basic, general = _choose_parses(sentence, losses)
            tokens = _writable_tokens(basic or general, sentence, losses)
            if not tokens:
                losses.drop("entities", len(sentence.entities))
                continue
            comments = head + "".join(f"# {line}\n" for line in _comments(sentence, basic, general, losses))
            head = ""
            marks = marks_of(sentence, tokens, losses)
            rows = _rows(tokens, sentence, basic, general, losses, marks, spaces=True)
            output.write(encode_utf8(comments + "".join(f"{row}\n" for row in rows) + "\n", sentence.id))
        if head:
            losses.drop("documents without a tokenized sentence")


def write_conllx(documents: Iterable[Document], output: IO[bytes], losses: ConversionLosses) -> None:
    """Write CoNLL-X, which has no comments: ids, names, document boundaries and the exact text are lost."""
    for document_index, document in enumerate(documents):
        _count_document_losses(document, losses)
        losses.drop("document boundaries", int(document_index > 0))
        for index, sentence in enumerate(document.sentences):
            losses.drop("ids", sentence.id != sentence_id(document.id, index))
            basic, general = _choose_parses(sentence, losses)
            losses.drop("names of parsers", basic is not None and basic.parser not in (None, "conllx"))
            losses.drop("parses that are no trees", int(general is not None))
            losses.drop("entities", len(sentence.entities))
            losses.drop("sentence offsets", int(bool(sentence.offset)))
            tokens = _writable_tokens(basic or general, sentence, losses)
            losses.drop("sentence remarks", len(sentence.infons))
            losses.drop("texts that are not their tokens joined by spaces", int(not _is_space_joined(sentence, tokens)))
            if tokens:
                rows = _rows(tokens, sentence, basic, None, losses, {}, spaces=False)
                output.write(encode_utf8("".join(f"{row}\n" for row in rows) + "\n", sentence.id))


def _count_document_losses(document: Document, losses: ConversionLosses) -> None:
    losses.drop("document-level relations", len(document.relations) + len(document.concept_relations))
    losses.drop_events(document)
    losses.drop(
        "corpus names and original ids",
        sum(value is not None for value in (document.corpus, document.orig_id)),
    )
    losses.drop("document remarks", len(document.infons))
    for sentence in document.sentences:
        losses.drop("pairs", len(sentence.pairs))
        losses.drop("original ids of sentences", int(sentence.orig_id is not None))


def _choose_parses(
    sentence: Sentence, losses: ConversionLosses
) -> tuple[DependencyGraph | None, DependencyGraph | None]:
    """The graph for HEAD and the graph for DEPS."""
    if not sentence.parses:
        return None, None
    first = sentence.parses[0]
    if not _has_single_heads(first):
        losses.drop("further parses", len(sentence.parses) - 1)
        return None, first
    for other in sentence.parses[1:]:
        if other.tokens == first.tokens and other.parser is not None and (other.dependencies or other.roots):
            losses.drop("further parses", len(sentence.parses) - 2)
            return first, other
    losses.drop("further parses", len(sentence.parses) - 1)
    return first, None


def _has_single_heads(graph: DependencyGraph) -> bool:
    heads = Counter(arc.dependent for arc in graph.dependencies)
    heads.update(graph.roots)
    return all(count == 1 for count in heads.values())


def _writable_tokens(graph: DependencyGraph | None, sentence: Sentence, losses: ConversionLosses) -> tuple[Token, ...]:
    if graph is None or not graph.tokens:
        losses.drop("sentences without tokens")
        return ()
    shared = {id for multi in graph.multiwords for id in _inner_ids(graph, multi)}
    position = 0
    for token in graph.tokens:
        if token.start < position and token.id not in shared:
            losses.drop("sentences whose tokens overlap or are out of order")
            return ()
        position = token.end
    expected = tuple(str(number) for number in range(1, len(graph.tokens) + 1))
    losses.drop(
        "token ids that are not 1, 2, 3 ...",
        sum(a.id != b for a, b in zip(graph.tokens, expected, strict=True)),
    )
    return graph.tokens


def _inner_ids(graph: DependencyGraph, multi: MultiwordToken) -> list[str]:
    ids = [token.id for token in graph.tokens]
    return ids[ids.index(multi.first) : ids.index(multi.last) + 1]


def _comments(
    sentence: Sentence, basic: DependencyGraph | None, general: DependencyGraph | None, losses: ConversionLosses
) -> Iterable[str]:
    yield f"sent_id = {sentence.id}"
    for key, value in sentence.infons:
        line = f"{key} = {value}" if key else value
        losses.drop("line breaks in remarks", int(line != line.translate(_BREAKS)))
        yield line.translate(_BREAKS)
    if sentence.offset:
        yield f"offset = {sentence.offset}"
    graph = basic or general
    if graph is not None and graph.tokenizer != "conllu":
        yield f"tokenizer = {graph.tokenizer}"
    if basic is not None and basic.parser is not None:
        has_heads = bool(basic.dependencies or basic.roots)
        if basic.parser != "conllu" or (not has_heads and general is None):
            yield f"parser = {basic.parser}"
    default = ((basic.parser if basic is not None else None) or "conllu") + ENHANCED
    if general is not None and general.parser != default:
        yield f"enhanced_parser = {general.parser}"
    losses.drop("line breaks in texts", int(sentence.text != sentence.text.translate(_BREAKS)))
    yield f"text = {sentence.text.translate(_BREAKS)}"


def _rows(
    tokens: tuple[Token, ...],
    sentence: Sentence,
    basic: DependencyGraph | None,
    general: DependencyGraph | None,
    losses: ConversionLosses,
    marks: Mapping[str, str],
    *,
    spaces: bool,
) -> Iterable[str]:
    """The lines of a sentence; ``marks`` are what the MISC column says beside, by token, ``spaces`` whether it does."""
    number = {token.id: str(index) for index, token in enumerate(tokens, start=1)}
    heads = _heads(basic, number)
    deps = _deps(general, number, losses)
    graph = basic or general
    multiwords = {multi.first: multi for multi in graph.multiwords} if graph is not None else {}
    inside_until = 0
    for index, token in enumerate(tokens):
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        multi = multiwords.get(token.id)
        if multi is not None:
            inside_until = int(number[multi.last])
            after = tokens[inside_until] if inside_until < len(tokens) else None
            misc = _misc(multi.misc, token, after, spaces, losses)
            form = sentence.text[token.start : token.end].translate(_BREAKS)
            yield "\t".join([f"{number[multi.first]}-{number[multi.last]}", form, *"_______", misc])
        inside = index < inside_until
        form = token.text if inside else sentence.text[token.start : token.end]
        losses.drop("token forms that differ from the text", int(form != token.text))
        head, type = heads.get(token.id, ("_", "_"))
        columns = [token.lemma, token.upos, token.pos, token.feats]
        yield "\t".join(
            [
                number[token.id],
                form.translate(_BREAKS),
                *(_field(value, losses) for value in columns),
                head,
                _field(type, losses),
                deps.get(token.id, "_"),
                _misc(token.misc, token, None if inside else following, spaces, losses, marks.get(token.id)),
            ]
        )


def _heads(graph: DependencyGraph | None, number: dict[str, str]) -> dict[str, tuple[str, str]]:
    if graph is None:
        return {}
    heads = {arc.dependent: (number[arc.governor], arc.type) for arc in graph.dependencies}
    heads.update(dict.fromkeys(graph.roots, ("0", "root")))
    return heads


def _deps(graph: DependencyGraph | None, number: dict[str, str], losses: ConversionLosses) -> dict[str, str]:
    if graph is None:
        return {}
    arcs = [(arc.dependent, int(number[arc.governor]), arc.type) for arc in graph.dependencies]
    arcs.extend((root, 0, "root") for root in graph.roots)
    columns: dict[str, list[str]] = {}
    for dependent, head, type in sorted(set(arcs), key=lambda arc: arc[1:]):
        name = _field(type, losses)
        if "|" in name or name == "_":
            losses.drop("dependencies whose type DEPS cannot hold")
            continue
        columns.setdefault(dependent, []).append(f"{head}:{name}")
    losses.drop("repeated dependencies", len(arcs) - len(set(arcs)))
    return {dependent: "|".join(parts) for dependent, parts in columns.items()}


def _misc(
    value: str | None,
    token: Token,
    following: Token | None,
    spaces: bool,
    losses: ConversionLosses,
    mark: str | None = None,
) -> str:
    parts = [] if value is None else [_field(value, losses)]
    if mark is not None:
        parts.append(mark)
    if spaces and following is not None and following.start == token.end:
        parts.append(NO_SPACE)
    return "|".join(parts) or "_"


def _field(value: str | None, losses: ConversionLosses) -> str:
    if value is None:
        return "_"
    text = value.translate(_BREAKS)
    losses.drop("empty values and line breaks in token fields", int(text != value or not text))
    return text or "_"


def _is_space_joined(sentence: Sentence, tokens: tuple[Token, ...]) -> bool:
    return sentence.text == " ".join(sentence.text[token.start : token.end] for token in tokens)
