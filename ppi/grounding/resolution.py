"""From mentions to genes: one answer for each group of mentions of a document.

Candidates of every spelling of a group are rated (:mod:`ppi.grounding.features`) and scored
(:mod:`ppi.grounding.choice`).  The best gene is the answer if it scores enough, together with those that score as well:
then the name is ambiguous.  What is no gene may be a family or a complex.  Everything else stays without an identifier.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, Protocol

from corpora.types import Document, Entity, Infons
from ppi.grounding.candidate import FIELDS, GENE, HOWS, LEVELS, NORMALIZED, SYMBOL, Candidate
from ppi.grounding.choice import GeneChoice
from ppi.grounding.features import RELATED, Rated, context_of, preferred_species, rated, species_of
from ppi.grounding.groups import Group, Match, groups
from ppi.grounding.names import is_class
from ppi.grounding.species import TextSpecies
from ppi.pipeline.kinds import CHEMICAL, FAMILY, KINDS, ORGANISM, OTHER, is_other_type

#: Names whose candidates are remembered: texts repeat them.
_MOST_REMEMBERED = 20_000
#: Families and complexes match as they are written, normalized, or in the plural.
_LAST_RANK_OF_FAMILY = 8
#: Which list of families is believed first.
_FAMILY_LISTS = ("fplx", "complexportal", "hgnc.genegroup", "pfam")
#: A list whose symbols are codes of its own: HA is a domain there, hyaluronan or haemagglutinin in texts.
_LIST_OF_CODES = "pfam"
#: The sign of a gene that was found by the symbol of a relative's.
_BY_RELATIVE = ", by a relative's symbol"
#: Candidates that an ambiguous name keeps at most, the best ones.
_MOST_KEPT = 5

#: Where the species of a gene is from: the mention itself, its sentence, the text; or nothing says it.
FROM_NAME, FROM_SENTENCE, FROM_TEXT, ASSUMED = "name", "sentence", "text", "assumed"


class Names(Protocol):
    """What a lexicon must do."""

    def candidates(self, name: str) -> Sequence[Candidate]:
        """Everything that a name may stand for, in every species, best match first."""


class Answer(NamedTuple):
    """What a group was found to be: one thing, or several if that stays ambiguous."""

    candidates: tuple[Candidate, ...]
    how: str
    species: str | None
    species_from: str


class Resolver:
    """Gives the mentions of documents identifiers, species and how they were found.

    Parameters
    ----------
    lexicon
        Anything with a method ``candidates(name)``, such as :class:`~ppi.grounding.Lexicon`.
    choice
        The scorer; that which ships, unless given.

    Examples
    --------
    >>> from corpora.types import Sentence
    >>> from ppi.grounding import Lexicon
    >>> text = "Murine Mdm2 binds p53."
    >>> mentions = (Entity("m", "Mdm2", ((7, 11),)), Entity("p", "p53", ((18, 21),)))
    >>> document = Resolver(Lexicon.shipped()).resolve(Document("d", (Sentence("s", text, mentions),)))
    >>> [entity.identifiers for entity in document.sentences[0].entities]
    [('ncbigene:17246',), ('ncbigene:22059',)]
    """

    def __init__(self, lexicon: Names, *, choice: GeneChoice | None = None) -> None:
        self._choice = GeneChoice.shipped() if choice is None else choice
        self._lookup = lru_cache(maxsize=_MOST_REMEMBERED)(lexicon.candidates)

    def resolve(self, document: Document) -> Document:
        """The document whose mentions carry what they were found to be.

        ``identifiers`` are one CURIE, or several: those of all members of "ERK1/2" (remark ``members``), or the
        candidates of a name that stays ambiguous (remark ``ambiguous``, their number).  Other remarks: ``grounding``
        how it was found, ``symbol``, ``taxid``, ``uniprot`` where known, ``species_from`` (``name``, ``sentence``,
        ``text``, ``assumed``), and ``entity_kind`` of families and complexes.  A mention that is found nowhere may
        still have ``species``.  Mentions that come with identifiers, and those of other things, are left as they are.
        """
        answers: dict[int, dict[str, list[Answer]]] = {}
        for group, answer in self._answers(document):
            for mention in group.mentions:
                answers.setdefault(mention.sentence, {}).setdefault(mention.entity.id, []).append(answer)
        if not answers:
            return document
        sentences = list(document.sentences)
        for number, found in answers.items():
            entities = tuple(
                _grounded(entity, found[entity.id]) if entity.id in found else entity
                for entity in sentences[number].entities
            )
            sentences[number] = replace(sentences[number], entities=entities)
        return replace(document, sentences=tuple(sentences))

    def _answers(self, document: Document) -> list[tuple[Group, Answer]]:
        species = TextSpecies(document)
        made = rated_groups(document, species, self._lookup, is_asked)
        scores = iter(self._choice.scores([gene.row for each in made for gene in each.genes]).tolist())
        return [(each.group, self._answer(each, [next(scores) for _ in each.genes], species)) for each in made]

    def _answer(self, rated: RatedGroup, scores: Sequence[float], species: TextSpecies) -> Answer:
        genes = rated.genes
        best = max(scores, default=-1.0)
        is_given = all(mention.entity.type not in KINDS for mention in rated.group.mentions)
        accept = self._choice.accept_given if is_given else self._choice.accept
        # "ATPase" and "receptor tyrosine kinase" are synonyms of single genes in lists, and of none in texts
        if genes and best >= accept and not all(map(is_class, rated.group.names)):
            order = sorted(range(len(genes)), key=lambda at: -scores[at])
            kept = [genes[at] for at in order if scores[at] > best - self._choice.margin][:_MOST_KEPT]
            top = kept[0]
            how = top.match.candidate.how + _BY_RELATIVE * top.is_transferred
            taxid = species_of(top.match.candidate)
            return Answer(
                tuple(gene.match.candidate for gene in kept), how, taxid, _species_from(top.match, rated.group, species)
            )
        family = _family(rated.matches, rated.group, species)
        if family is not None:
            return Answer((family,), family.how, None, ASSUMED)
        named = Answer((), "", preferred_species(rated.group, species), FROM_SENTENCE)
        near = any(mention.around.nearest for mention in rated.group.mentions)
        return named if near else named._replace(species=None, species_from=ASSUMED)


class RatedGroup(NamedTuple):
    """A group, all that its names match, and the genes among these with their features."""

    group: Group
    matches: list[Match]
    genes: list[Rated]


def is_asked(entity: Entity) -> bool:
    """Whether a mention may be a gene and has no identifier yet.

    Of the names that the pipeline finds also DNA and RNA ("p53 mRNA" names p53) and the markers of cells.
    """
    if entity.identifiers or not any(map(str.isalnum, entity.text)):
        return False
    return entity.type not in (CHEMICAL, ORGANISM, OTHER) and not is_other_type(entity.type)


def rated_groups(
    document: Document,
    species: TextSpecies,
    lookup: Callable[[str], Sequence[Candidate]],
    wanted: Callable[[Entity], bool],
) -> list[RatedGroup]:
    """The groups of the wanted mentions of a document with what they match."""
    found = groups(document, species, lookup, wanted)
    matches = [list(group.matches(lookup)) for group in found]
    transferred = [_transferred(listed, species, lookup) for listed in matches]
    supported: Counter[str] = Counter()
    for listed, moved in zip(matches, transferred):
        supported.update({match.candidate.identifier for match in (*listed, *moved) if match.candidate.kind == GENE})
    context = context_of(species, supported, found)
    return [
        RatedGroup(group, listed, rated(group, listed, moved, context))
        for group, listed, moved in zip(found, matches, transferred)
    ]


def _transferred(
    matches: Sequence[Match], species: TextSpecies, lookup: Callable[[str], Sequence[Candidate]]
) -> list[Match]:
    """Genes of the text's organisms that no name of theirs matches, but whose symbol is that of a relative's gene.

    Lists of names are longer for some organisms than for others: "N-cadherin" is written beside the mouse's Cdh2 and
    not beside the human's CDH2.
    """
    genes = [match for match in matches if match.candidate.kind == GENE and match.candidate.taxid in RELATED]
    if not genes:
        return []
    present = {match.candidate.taxid for match in genes}
    lacking = [taxid for taxid in RELATED if taxid not in present and (taxid in species.counts or taxid == RELATED[0])]
    if not lacking:
        return []
    best = min(match.candidate.rank for match in genes)
    return [
        Match(candidate._replace(how=match.candidate.how), match.query, match.is_long)
        for match in genes
        if match.candidate.rank == best
        for candidate in lookup(match.candidate.symbol)
        if candidate.taxid in lacking and candidate.is_symbol
    ]


def _species_from(match: Match, group: Group, species: TextSpecies) -> str:
    """What says that a gene is of its species."""
    taxid = species_of(match.candidate)
    if taxid in (group.species, match.query.taxid):
        return FROM_NAME
    if any(taxid in (mention.around.before, mention.around.after) for mention in group.mentions):
        return FROM_SENTENCE
    return FROM_TEXT if taxid in species.counts else ASSUMED


def _family(matches: Sequence[Match], group: Group, species: TextSpecies) -> Candidate | None:
    """The family or complex that a name is, if any: the best match, of the species that should be, if it has one.

    A name that a gene has as well is a family's only where it was found as one, or in the plural: of "p53" nothing is
    said if the gene is not certain, though Pfam has a family of that name.  Pfam's own codes are names of texts only
    there, and only if an abbreviation stands for nothing else.
    """
    preferred = preferred_species(group, species)
    as_family = any(mention.entity.type == FAMILY or mention.entity.text.endswith("s") for mention in group.mentions)
    best_gene = min((match.candidate.rank for match in matches if match.candidate.kind == GENE), default=len(HOWS))
    listed = [
        match.candidate
        for match in matches
        if match.candidate.kind != GENE
        and match.candidate.rank <= _LAST_RANK_OF_FAMILY
        and match.candidate.taxid in (None, preferred)
        and (as_family or _is_closer(match, best_gene))
        and (not _is_code(match.candidate) or (as_family and (group.long_form is None or match.is_long)))
    ]
    return min(listed, key=lambda candidate: (candidate.rank, _list_order(candidate)), default=None)


def _is_closer(match: Match, gene: int) -> bool:
    """Whether a family's name is closer to the mention's than that of any gene, whose best rank is given.

    The capital of a plain word says nothing, which may begin a sentence: "Insulin" is no closer to the complex of that
    name than to the gene that is called insulin in words.
    """
    rank, text = match.candidate.rank, match.query.text
    if text.isalpha() and text.istitle():
        rank, gene = (max(each // len(FIELDS), LEVELS.index(NORMALIZED)) for each in (rank, gene))
    return rank < gene


def _is_code(candidate: Candidate) -> bool:
    """Whether a family was found by a code of its list."""
    return candidate.identifier.startswith(f"{_LIST_OF_CODES}:") and candidate.how.endswith(SYMBOL)


def _list_order(candidate: Candidate) -> int:
    prefix = candidate.identifier.partition(":")[0]
    return _FAMILY_LISTS.index(prefix) if prefix in _FAMILY_LISTS else len(_FAMILY_LISTS)


def _grounded(entity: Entity, answers: Sequence[Answer]) -> Entity:
    found = [answer for answer in answers if answer.candidates]
    if not found:
        told = answers[0].species
        return entity if told is None else replace(entity, infons=(*entity.infons, ("species", told)))
    identifiers = dict.fromkeys(candidate.identifier for answer in found for candidate in answer.candidates)
    remarks = [("grounding", found[0].how)]
    if len(answers) > 1:
        remarks.append(("members", str(len(answers))))
    elif len(found[0].candidates) > 1:
        remarks.append(("ambiguous", str(len(found[0].candidates))))
    remarks += _remarks(found[0]) if len(identifiers) == 1 else _of_species(found[0])
    return replace(entity, identifiers=tuple(identifiers), infons=(*entity.infons, *remarks))


def _remarks(answer: Answer) -> Infons:
    candidate = answer.candidates[0]
    remarks = [("symbol", candidate.symbol)]
    if candidate.taxid is not None:
        remarks.append(("taxid", candidate.taxid))
    if candidate.uniprot is not None:
        remarks.append(("uniprot", candidate.uniprot))
    if candidate.kind != GENE:
        remarks.append(("entity_kind", candidate.kind))
    return (*remarks, *_of_species(answer))


def _of_species(answer: Answer) -> Infons:
    if answer.species is None:
        return ()
    return ("species", answer.species), ("species_from", answer.species_from)
