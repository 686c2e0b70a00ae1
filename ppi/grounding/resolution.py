"""Resolves the mentions of a document to genes, families or complexes: one result per group of mentions.

Candidates of every spelling of a group get features (:mod:`ppi.grounding.candidate_features`) and a score.  The best
gene is the answer if it scores enough, together with those that score as well: then the name is ambiguous.  What is no
gene may be a family or a complex.  Everything else stays without an identifier.

The score is a quadratic form of the features, learned by regularized least squares:

    score(x) = sum over i <= j of W_ij x_i x_j,   W minimising   sum_c (y_c - score(x_c))^2 + regparam ||W||^2

over the candidates c of names in texts where people wrote down the genes, y being 1 for the right gene and -1 for
others: least squares with the polynomial kernel of degree 2, folded into one weight per pair of features.
``scripts/train_grounding`` makes the weights.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from corpora import Document, Entity, Infons
from ppi.core import raise_as_model_file_error, read_archive, write_archive
from ppi.grounding.candidate_features import (
    FEATURE_NAMES,
    RELATED_SPECIES,
    GeneFeatures,
    build_context,
    compute_gene_features,
    infer_species,
    species_of,
)
from ppi.grounding.identity import is_class
from ppi.grounding.matching import FIELDS, GENE, LEVELS, MATCH_TYPES, NORMALIZED, SYMBOL, GroundingCandidate
from ppi.grounding.mention_groups import CandidateMatch, Lookup, MentionGroup, group_mentions
from ppi.grounding.species import DocumentSpecies
from ppi.language import CHEMICAL, FAMILY, KINDS, ORGANISM, OTHER, is_non_protein_type

SCORER_FORMAT = "ppi-miner gene choice"
SCORER_VERSION = 1
SCORER_FILE = "choice.zip"
_THRESHOLDS = ("accept", "accept_given", "margin")

#: Names whose candidates are remembered: texts repeat them.
_MAX_CACHED_NAMES = 20_000
#: Families and complexes match as they are written, normalized, or in the plural.
_MAX_FAMILY_RANK = 8
#: Which list of families is believed first.
_FAMILY_DATABASES = ("fplx", "complexportal", "hgnc.genegroup", "pfam")
#: A list with its own codes as symbols: HA is a domain there, hyaluronan or haemagglutinin in texts.
_CODE_DATABASE = "pfam"
#: The sign of a gene that was found by the symbol of a relative's.
_BY_ORTHOLOG = ", by a relative's symbol"
#: Candidates that an ambiguous name keeps at most, the best ones.
_MAX_AMBIGUOUS_CANDIDATES = 5

#: Where the species of a gene is from: the mention itself, its sentence, the text, or nowhere.
FROM_NAME, FROM_SENTENCE, FROM_TEXT, ASSUMED = "name", "sentence", "text", "assumed"

Array = NDArray[np.float64]


class GeneScorer:
    """Learned weights and the thresholds of decisions.

    Parameters
    ----------
    weights
        Upper triangle of W, row by row.
    accept
        Names none of whose candidates scores this much stay without a gene.
    accept_given
        The same for mentions that come with the document: its authors marked them as genes or proteins.
    margin
        Candidates whose score is less than this below the best one's are kept beside it: the name is ambiguous.
    """

    def __init__(self, weights: Sequence[float] | Array, *, accept: float, accept_given: float, margin: float) -> None:
        self.accept = accept
        self.accept_given = accept_given
        self.margin = margin
        self._quadratic_form = np.zeros((len(FEATURE_NAMES), len(FEATURE_NAMES)))
        self._quadratic_form[np.triu_indices(len(FEATURE_NAMES))] = weights

    def scores(self, rows: Sequence[Sequence[float]]) -> Array:
        """The scores of candidates, by their features."""
        features = np.array(rows, dtype=np.float64).reshape(-1, len(FEATURE_NAMES))
        scores: Array = np.einsum("ij,ij->i", features @ self._quadratic_form, features)
        return scores

    @classmethod
    @cache
    def load_shipped(cls) -> GeneScorer:
        """The one that comes with the package; read once per process."""
        return cls.load(Path(__file__).with_name(SCORER_FILE))

    @classmethod
    def load(cls, path: str | Path) -> GeneScorer:
        """Read a file that :meth:`save` wrote.

        Raises
        ------
        ModelFileError
            If it is damaged, something else, or was made for other features.
        """
        header, arrays = read_archive(path, format=SCORER_FORMAT, versions=(SCORER_VERSION,))
        with raise_as_model_file_error(path):
            if header["features"] != list(FEATURE_NAMES):
                raise ValueError("expected the features of this version of the package; train it again")
            return cls(arrays["weights"], **{name: float(header[name]) for name in _THRESHOLDS})

    def save(self, path: str | Path, facts: dict[str, Any]) -> None:
        """Write header and weights; ``facts`` describe what they were learned from."""
        thresholds = {name: getattr(self, name) for name in _THRESHOLDS}
        header = {"features": list(FEATURE_NAMES), **thresholds, "facts": facts}
        weights = self._quadratic_form[np.triu_indices(len(FEATURE_NAMES))].astype(np.float32)
        write_archive(path, header, {"weights": weights}, format=SCORER_FORMAT, version_number=SCORER_VERSION)


class NameLookup(Protocol):
    """What a lexicon must do."""

    def candidates(self, name: str) -> Sequence[GroundingCandidate]:
        """Everything that a name may stand for, in every species, best match first."""


class GroundingResult(NamedTuple):
    """What a group was found to be: one thing, or several if that stays ambiguous."""

    candidates: tuple[GroundingCandidate, ...]
    how: str
    species: str | None
    species_from: str


class Resolver:
    """Gives the mentions of documents identifiers, species and how they were found.

    Parameters
    ----------
    lexicon
        Anything with a method ``candidates(name)``, such as :class:`~ppi.grounding.Lexicon`.
    scorer
        By default that which ships.

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

    def __init__(self, lexicon: NameLookup, *, scorer: GeneScorer | None = None) -> None:
        self._scorer = GeneScorer.load_shipped() if scorer is None else scorer
        self._lookup = lru_cache(maxsize=_MAX_CACHED_NAMES)(lexicon.candidates)

    def resolve(self, document: Document) -> Document:
        """The document whose mentions carry what they were found to be.

        ``identifiers`` are one CURIE, or several: those of all members of "ERK1/2" (infon ``members``), or the
        candidates of a name that stays ambiguous (infon ``ambiguous``, their number).  Other infons: ``grounding``
        how it was found, ``symbol``, ``taxid``, ``uniprot`` where known, ``species_from`` (``name``, ``sentence``,
        ``text``, ``assumed``), and ``entity_kind`` of families and complexes.  A mention that is found nowhere may
        still have ``species``.  Mentions that come with identifiers, and those of other things, are left as they are.
        """
        results_by_sentence: dict[int, dict[str, list[GroundingResult]]] = {}
        for group, result in self._resolve_groups(document):
            for mention in group.mentions:
                results_by_sentence.setdefault(mention.sentence, {}).setdefault(mention.entity.id, []).append(result)
        if not results_by_sentence:
            return document
        sentences = list(document.sentences)
        for number, results_by_entity in results_by_sentence.items():
            entities = tuple(
                _ground_entity(entity, results_by_entity[entity.id]) if entity.id in results_by_entity else entity
                for entity in sentences[number].entities
            )
            sentences[number] = replace(sentences[number], entities=entities)
        return replace(document, sentences=tuple(sentences))

    def _resolve_groups(self, document: Document) -> list[tuple[MentionGroup, GroundingResult]]:
        species = DocumentSpecies(document)
        feature_groups = compute_group_features(document, species, self._lookup, needs_grounding)
        scores = iter(self._scorer.scores([gene.row for _, _, genes in feature_groups for gene in genes]).tolist())
        return [
            (group, self._resolve_group(group, matches, [(next(scores), gene) for gene in genes], species))
            for group, matches, genes in feature_groups
        ]

    def _resolve_group(
        self,
        group: MentionGroup,
        matches: Sequence[CandidateMatch],
        genes: Sequence[tuple[float, GeneFeatures]],
        species: DocumentSpecies,
    ) -> GroundingResult:
        """What a group is, given the genes that match it, each with its score."""
        best = max((score for score, _ in genes), default=-1.0)
        is_from_input = all(mention.entity.type not in KINDS for mention in group.mentions)
        threshold = self._scorer.accept_given if is_from_input else self._scorer.accept
        # "ATPase" and "receptor tyrosine kinase" are synonyms of single genes in lists, and of none in texts
        if genes and best >= threshold and not all(map(is_class, group.names)):
            ranked = sorted(genes, key=lambda pair: -pair[0])
            kept = [gene for score, gene in ranked if score > best - self._scorer.margin][:_MAX_AMBIGUOUS_CANDIDATES]
            top = kept[0].match
            how = top.candidate.match_type + _BY_ORTHOLOG * kept[0].is_by_ortholog
            candidates = tuple(gene.match.candidate for gene in kept)
            return GroundingResult(candidates, how, *_find_species(top, group, species))
        if (family := _find_family(matches, group, species)) is not None:
            return GroundingResult((family,), family.match_type, None, ASSUMED)
        if any(mention.neighbourhood.nearest for mention in group.mentions):
            return GroundingResult((), "", infer_species(group, species), FROM_SENTENCE)
        return GroundingResult((), "", None, ASSUMED)


class GroupFeatures(NamedTuple):
    """A group, all that its names match, and the genes among these with their features."""

    group: MentionGroup
    matches: list[CandidateMatch]
    genes: list[GeneFeatures]


def needs_grounding(entity: Entity) -> bool:
    """Whether a mention may be a gene and has no identifier yet.

    Of the names that the pipeline finds also DNA and RNA ("p53 mRNA" names p53) and the markers of cells.
    """
    if entity.identifiers or not any(map(str.isalnum, entity.text)):
        return False
    return entity.type not in (CHEMICAL, ORGANISM, OTHER) and not is_non_protein_type(entity.type)


def compute_group_features(
    document: Document,
    species: DocumentSpecies,
    lookup: Lookup,
    is_eligible: Callable[[Entity], bool],
) -> list[GroupFeatures]:
    """The groups of the eligible mentions of a document with what they match."""
    mention_groups = group_mentions(document, species, lookup, is_eligible)
    matches = [list(group.matches(lookup)) for group in mention_groups]
    ortholog_matches = [_find_ortholog_matches(group_matches, species, lookup) for group_matches in matches]
    group_counts: Counter[str] = Counter()
    for group_matches, orthologs in zip(matches, ortholog_matches):
        group_counts.update(
            {match.candidate.identifier for match in (*group_matches, *orthologs) if match.candidate.kind == GENE}
        )
    context = build_context(species, group_counts, mention_groups)
    return [
        GroupFeatures(group, group_matches, compute_gene_features(group, group_matches, orthologs, context))
        for group, group_matches, orthologs in zip(mention_groups, matches, ortholog_matches)
    ]


def _find_ortholog_matches(
    matches: Sequence[CandidateMatch], species: DocumentSpecies, lookup: Lookup
) -> list[CandidateMatch]:
    """Genes of the text's organisms that no name of theirs matches, but whose symbol is that of a relative's gene.

    Lists of names are longer for some organisms than for others: "N-cadherin" is written beside the mouse's Cdh2 and
    not beside the human's CDH2.
    """
    genes = [match for match in matches if match.candidate.kind == GENE and match.candidate.taxid in RELATED_SPECIES]
    named_taxids = {taxid for taxid in RELATED_SPECIES if taxid in species.counts or taxid == RELATED_SPECIES[0]}
    missing_taxids = named_taxids - {match.candidate.taxid for match in genes}
    if not genes or not missing_taxids:
        return []
    best = min(match.candidate.rank for match in genes)
    return [
        CandidateMatch(candidate._replace(match_type=match.candidate.match_type), match.query, match.is_long)
        for match in genes
        if match.candidate.rank == best
        for candidate in lookup(match.candidate.symbol)
        if candidate.taxid in missing_taxids and candidate.is_symbol
    ]


def _find_species(match: CandidateMatch, group: MentionGroup, species: DocumentSpecies) -> tuple[str | None, str]:
    """The species of a gene, and where it is from."""
    taxid = species_of(match.candidate)
    if taxid in (group.species, match.query.taxid):
        return taxid, FROM_NAME
    if any(taxid in (mention.neighbourhood.before, mention.neighbourhood.after) for mention in group.mentions):
        return taxid, FROM_SENTENCE
    return taxid, FROM_TEXT if taxid in species.counts else ASSUMED


def _find_family(
    matches: Sequence[CandidateMatch], group: MentionGroup, species: DocumentSpecies
) -> GroundingCandidate | None:
    """The family or complex that a name is, if any: the best match, of the species that should be, if it has one.

    A name that a gene has as well is a family's only where it was found as one, or in the plural: "p53" gets nothing if
    the gene is not certain, though Pfam has a family of that name.  Pfam's own codes are names of texts only
    there, and only if an abbreviation stands for nothing else.
    """
    preferred = infer_species(group, species)
    is_family_mention = any(
        mention.entity.type == FAMILY or mention.entity.text.endswith("s") for mention in group.mentions
    )
    gene_ranks = (match.candidate.rank for match in matches if match.candidate.kind == GENE)
    best_gene_rank = min(gene_ranks, default=len(MATCH_TYPES))

    def fits(match: CandidateMatch) -> bool:
        candidate = match.candidate
        if candidate.kind == GENE or candidate.rank > _MAX_FAMILY_RANK or candidate.taxid not in (None, preferred):
            return False
        is_code = candidate.identifier.startswith(f"{_CODE_DATABASE}:") and candidate.match_type.endswith(SYMBOL)
        if is_family_mention:
            return not is_code or group.long_form is None or match.is_long
        return not is_code and _is_closer(match, best_gene_rank)

    def rank_and_database(candidate: GroundingCandidate) -> tuple[int, int]:
        prefix = candidate.identifier.partition(":")[0]
        return candidate.rank, (*_FAMILY_DATABASES, prefix).index(prefix)

    return min((match.candidate for match in matches if fits(match)), key=rank_and_database, default=None)


def _is_closer(match: CandidateMatch, gene_rank: int) -> bool:
    """Whether a family's name is closer to the mention's than that of any gene, whose best rank is given.

    The capital of a plain word, which may begin a sentence, means nothing: "Insulin" is no closer to the complex of
    that name than to the gene that is called insulin in words.
    """
    rank, text = match.candidate.rank, match.query.text
    if text.isalpha() and text.istitle():
        rank, gene_rank = (max(value // len(FIELDS), LEVELS.index(NORMALIZED)) for value in (rank, gene_rank))
    return rank < gene_rank


def _ground_entity(entity: Entity, results: Sequence[GroundingResult]) -> Entity:
    successful = [result for result in results if result.candidates]
    if not successful:
        species = results[0].species
        return entity if species is None else replace(entity, infons=(*entity.infons, ("species", species)))
    identifiers = dict.fromkeys(candidate.identifier for result in successful for candidate in result.candidates)
    infons = [("grounding", successful[0].how)]
    if len(results) > 1:
        infons.append(("members", str(len(results))))
    elif len(successful[0].candidates) > 1:
        infons.append(("ambiguous", str(len(successful[0].candidates))))
    if len(identifiers) == 1:
        infons += _candidate_infons(successful[0].candidates[0])
    if successful[0].species is not None:
        infons += [("species", successful[0].species), ("species_from", successful[0].species_from)]
    return replace(entity, identifiers=tuple(identifiers), infons=(*entity.infons, *infons))


def _candidate_infons(candidate: GroundingCandidate) -> Infons:
    kind = None if candidate.kind == GENE else candidate.kind
    infons = {"symbol": candidate.symbol, "taxid": candidate.taxid, "uniprot": candidate.uniprot, "entity_kind": kind}
    return tuple((name, value) for name, value in infons.items() if value is not None)
