"""Files cut into records: nothing lost, whatever the block boundaries, and bad records stay alone."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppi.server.runs import chunks
from ppi.server.runs.chunks import OversizedRecord, record_format, split_blocks, split_elements, split_lines

ELEMENT = re.compile(rb"<document[\s>].*?(?:</document\s*>|(?=<document[\s>])|\Z)", re.DOTALL)


@given(
    st.lists(
        st.sampled_from(
            [b"<document>", b"</document>", b"</document >", b"<document id='1'>", b"x", b"<documents>", b"<d"]
        )
    ),
    st.integers(1, 12),
)
def test_elements_equal_one_regular_expression_over_the_whole(pieces, block):
    content = b"".join(pieces)
    before = chunks._BLOCK_BYTES
    chunks._BLOCK_BYTES = block
    try:
        found = list(split_elements(io.BytesIO(content), b"document"))
    finally:
        chunks._BLOCK_BYTES = before
    assert found == ELEMENT.findall(content)


def test_an_unclosed_element_spoils_itself_only():
    content = b"<s><document>one</document><document>two<document>three</document></s>"
    assert list(split_elements(io.BytesIO(content), b"document")) == [
        b"<document>one</document>",
        b"<document>two",
        b"<document>three</document>",
    ]


@given(st.lists(st.sampled_from([b"a\n", b"b|t|x\n", b"\n", b"  \n", b"\r\n"])))
def test_blocks_are_what_blank_lines_part(lines):
    content = b"".join(lines)
    expected = [b"".join(group) for group in _groups(lines)]
    assert list(split_blocks(io.BytesIO(content))) == expected


def _groups(lines):
    group = []
    for line in [*lines, b"\n"]:
        if line.strip():
            group.append(line)
        elif group:
            yield group
            group = []


def test_line_records_keep_their_numbers():
    lines = list(split_lines(io.BytesIO(b"one\n\nthree\n")))
    assert lines == [b"one\n", b"\n", b"three\n"]
    assert chunks.RECORD_FORMATS["jsonl"].is_lines


@pytest.mark.parametrize(
    ("format", "beginning", "cut"),
    [
        ("pubmed", b'<?xml version="1.0" encoding="utf-8"?>', True),
        ("pubmed", b'<?xml version="1.0" encoding="iso-8859-1"?>', False),
        ("pubmed", b"<PubmedArticleSet>", True),
        ("brat", b"", False),
    ],
)
def test_only_what_can_be_cut_is_cut(format, beginning, cut):
    assert (record_format(format, beginning) is not None) == cut


MOST = 24
SPLITS = {
    split_lines: lambda content: content.splitlines(keepends=True),
    split_blocks: lambda content: [b"".join(group) for group in _groups(content.splitlines(keepends=True))],
    lambda stream: split_elements(stream, b"document"): ELEMENT.findall,
}


@pytest.mark.parametrize("split", SPLITS, ids=["lines", "blocks", "elements"])
@given(
    pieces=st.lists(
        st.sampled_from([b"<document>", b"</document>", b"\n", b"\n\n", b"x", b"y" * 30, b"<document a='1'>"])
    ),
    block=st.integers(1, 12),
)
def test_oversized_records_are_passed_over_and_all_others_are_whole(split, pieces, block):
    content = b"".join(pieces)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(chunks, "_BLOCK_BYTES", block)
        patched.setattr(chunks, "MAX_RECORD_BYTES", MOST)
        patched.setattr(chunks, "_PREFIX_BYTES", 5)
        found = list(split(io.BytesIO(content)))
    naive = SPLITS[split](content)
    assert [isinstance(each, OversizedRecord) for each in found] == [len(each) > MOST for each in naive]
    for record, whole in zip(found, naive, strict=True):
        assert record == (whole[:5] if len(whole) > MOST else whole)
