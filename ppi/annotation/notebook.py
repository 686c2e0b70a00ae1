"""What notebooks show: texts with highlighted names, interactions in a table, evidence as a drawing.

Plain elements with a small style of their own, no script, and everything that comes from outside is escaped.  Drawings
are images: whatever they hold, an image neither runs anything nor loads it.
"""

from __future__ import annotations

from collections.abc import Iterable

from corpora.short import pluralize
from ppi.annotation.markup import highlight_mentions, html_text, svg_image
from ppi.annotation.types import AnnotatedDocument, Evidence, Interaction

#: Of a document: how many sentences and interactions are shown.
MAX_SENTENCES = 100
MAX_INTERACTIONS = 50

_STYLE = (
    "<style>.ppi-output mark{background:#e4e8ee;color:#1f2933;border-radius:3px;padding:0 2px}"
    ".ppi-output mark.strong{background:#ffe08a}.ppi-output .drawing{background:#fff;overflow-x:auto}"
    ".ppi-output .drawing img{max-width:none}.ppi-output td,.ppi-output th{text-align:left;padding:2px 8px 2px 0}"
    ".ppi-output .quiet{opacity:.7}</style>"
)


def wrap_output(*parts: str) -> str:
    """The parts in an element with the style of notebooks."""
    return f'<div class="ppi-output">{_STYLE}{"".join(parts)}</div>'


def interaction_html(interaction: Interaction) -> str:
    """An interaction: who, how, how probably; its sentence; its evidence, if it has some."""
    ids = [entity.id for entity in interaction.proteins]
    sentence = highlight_mentions(interaction.sentence, interaction.proteins, strong=ids)
    where = f'<span class="quiet">{html_text(interaction.document)}</span>'
    parts = [f"<p>{_headline(interaction)} · {where}</p>", f"<blockquote>{sentence}</blockquote>"]
    if interaction.evidence is not None:
        parts.append(_evidence(interaction.evidence))
    return wrap_output(*parts)


def evidence_html(evidence: Evidence) -> str:
    """The reasons in words, then the drawing."""
    return wrap_output(_evidence(evidence))


def document_html(annotated: AnnotatedDocument) -> str:
    """The text with its names, those of interactions stronger, then a table of the interactions, best first."""
    sentences = annotated.document.sentences
    strong = {entity.id for interaction in annotated.interactions for entity in interaction.proteins}
    marked_text = " ".join(
        highlight_mentions(sentence.text, sentence.entities, strong=strong) for sentence in sentences[:MAX_SENTENCES]
    )
    ranked = sorted(annotated.interactions, key=lambda interaction: -interaction.probability)
    parts = [
        f"<p><b>{html_text(annotated.document.id)}</b></p>",
        f"<p>{marked_text}</p>",
        truncation_note(len(sentences), MAX_SENTENCES, "sentences"),
        html_table(("probability", "interaction", "sentence"), map(_row, ranked[:MAX_INTERACTIONS])),
        truncation_note(len(ranked), MAX_INTERACTIONS, "interactions"),
    ]
    if not ranked:
        parts.append('<p class="quiet">No interaction was found.</p>')
    if annotated.skipped:
        parts.append(f'<p class="quiet">Too long to be searched: {pluralize(len(annotated.skipped), "sentence")}.</p>')
    return wrap_output(*parts)


def html_table(heading: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Cells, which are HTML already, under a heading; nothing if there is no row."""
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    if not body:
        return ""
    names = "".join(f"<th>{name}</th>" for name in heading)
    return f"<table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>"


def truncation_note(count: int, limit: int, what: str) -> str:
    """A line that says how many are not shown, if some are."""
    return f'<p class="quiet">The first {limit:,} of {count:,} {what} are shown.</p>' if count > limit else ""


def _row(interaction: Interaction) -> tuple[str, str, str]:
    ids = [entity.id for entity in interaction.proteins]
    sentence = highlight_mentions(interaction.sentence, interaction.proteins, strong=ids)
    return f"{interaction.probability:.2f}", _describe_pair(interaction), sentence


def _headline(interaction: Interaction) -> str:
    return f"{_describe_pair(interaction)} · probability {interaction.probability:.2f}"


def _describe_pair(interaction: Interaction) -> str:
    """``A → B phosphorylation``, with its marks."""
    first, second = (f"<b>{html_text(entity.text)}</b>" for entity in interaction.participants)
    between = interaction.relationship.arrow_symbol(interaction.directed)
    label = ", ".join(filter(None, (interaction.relationship.label, *interaction.marks)))
    return f"{first} {between} {second} {html_text(label)}".rstrip()


def _evidence(evidence: Evidence) -> str:
    reasons = "".join(f"<li>{html_text(reason)}</li>" for reason in evidence.reasons())
    description = f"Dependency path: {evidence.path}" if evidence.path else "Dependency graph of the sentence"
    return f"<ul>{reasons}</ul>{svg_image(evidence.path_svg, description)}"
