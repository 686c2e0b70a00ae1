"""Finds the organisms that a text names, and where: they decide of which species a gene is.

The tables are written by hand: common names, Latin names, people, strains and cell lines.  Taxonomy numbers are NCBI's,
of the species; strains count as their species.  Words of organisms whose genes no lexicon here has are as important as
the others: a paper on *Pseudomonas* is not about human genes.  Cells that only serve to express the genes of others
(CHO, COS-7, Sf9) name no organism, nor does a two-hybrid screen in yeast.

Names of further cell lines ("PANC-1 cells" are human) are from Cellosaurus (CC BY 4.0), as hashes: those with letters
and digits that no gene has.  They count only where a sentence speaks of cells, those of three characters only before
that word.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from corpora import Document

HUMAN, MOUSE, RAT, ZEBRAFISH, FLY = "9606", "10090", "10116", "7955", "7227"
BUDDING_YEAST, FISSION_YEAST, E_COLI = "4932", "4896", "562"
#: Organisms whose genes the shipped lexicon has.
LEXICON_SPECIES = (HUMAN, MOUSE, RAT, ZEBRAFISH, FLY, BUDDING_YEAST, FISSION_YEAST, E_COLI)
#: Organisms by what symbols have before them: hMLH1, mCD4, dTRAF2, zWnt.
TAXIDS_BY_PREFIX = {
    **{"h": HUMAN, "rh": HUMAN, "Hs": HUMAN, "m": MOUSE, "rm": MOUSE, "Mm": MOUSE, "r": RAT, "d": FLY, "Dm": FLY},
    **{"z": ZEBRAFISH, "zf": ZEBRAFISH, "y": BUDDING_YEAST, "Sc": BUDDING_YEAST},
}
#: Whole kingdoms, for words that name nothing narrower.
BACTERIA, VIRUSES, PLANTS, FUNGI = "2", "10239", "33090", "4751"

#: Strains and their species; lexica write either.
SPECIES_OF_STRAIN = {
    "559292": BUDDING_YEAST,
    "284812": FISSION_YEAST,
    "83333": E_COLI,
    "511145": E_COLI,
    "10092": MOUSE,
    "39442": MOUSE,
}

#: Read word by word, in small letters: "C57BL/6" is ``c57bl 6``.
_ORGANISM_WORDS = {
    HUMAN: """
        human, humans, homo sapiens, h sapiens, patient, patients, women, woman, men, man, children, child,
        infants, people, persons, volunteers, adolescents, probands, proband, participants, neonates,
        siblings, caucasian, caucasians, japanese, chinese, hela, hek293, hek 293, hek293t, hek, jurkat, mcf
        7, mcf7, hepg2, hep g2, u2os, k562, a549, hl 60, hl60, thp 1, thp1, u937, lncap, huvec, huvecs, sh
        sy5y, caco 2, caco2, hct116, hct 116, mda mb 231, mda mb, sk n sh, daudi, raji, ht29, ht 29, ht1080,
        ht 1080, saos2, saos 2, hacat, a431, t47d, pc 3, pc3, du145, du 145, huh7, huh 7, mg63, mg 63, u87,
        u87mg, u251, bjab, nb4, kg1, molt 4, molt4, imr90, imr 90, wi38, wi 38
        """,
    MOUSE: """
        mouse, mice, murine, mus musculus, m musculus, c57bl, balb, nih3t3, 3t3, mef, mefs,
        raw 264, raw264, c2c12, neuro2a, neuro 2a, b16, el4, ct26, min6, mc3t3, 4t1, p19 cells, st 2 cells
        """,
    RAT: "rat, rats, rattus norvegicus, rattus, r norvegicus, sprague dawley, wistar, pc12, ins 1, h9c2, gh3, rat 1",
    ZEBRAFISH: "zebrafish, zebra fish, danio rerio, d rerio, danio",
    FLY: "drosophila, drosophila melanogaster, d melanogaster, fruit fly, fruit flies, fly, flies, s2 cells",
    BUDDING_YEAST: """
        yeast, yeasts, budding yeast, saccharomyces cerevisiae, saccharomyces, s cerevisiae, baker s yeast
        """,
    FISSION_YEAST: "fission yeast, schizosaccharomyces pombe, schizosaccharomyces, s pombe",
    E_COLI: "escherichia coli, e coli, escherichia",
    BACTERIA: """
        bacteria, bacterium, bacterial, prokaryotic, prokaryotes, pseudomonas, p aeruginosa, bacillus, b subtilis,
        salmonella, staphylococcus, s aureus, streptococcus, mycobacterium, mycobacteria, mycobacterial,
        m tuberculosis, helicobacter, h pylori, listeria, l monocytogenes, vibrio, v cholerae, yersinia, shigella,
        klebsiella, legionella, chlamydia, neisseria, borrelia, agrobacterium, rhizobium, sinorhizobium, streptomyces,
        caulobacter, c crescentus, campylobacter, clostridium, enterococcus, haemophilus, bordetella, brucella,
        burkholderia, rhodobacter, synechocystis, cyanobacteria, cyanobacterium, cyanobacterial, thermus, lactobacillus,
        lactococcus, myxococcus, treponema, mycoplasma, corynebacterium, acinetobacter, proteus mirabilis, serratia,
        erwinia, xanthomonas, wolbachia, francisella, coxiella, bacteroides, deinococcus, methanococcus, archaea,
        archaeal, archaeon, sulfolobus, gram negative, gram positive
        """,
    VIRUSES: """
        virus, viruses, viral, virion, virions, hiv, hiv 1, hcv, hbv, hsv, ebv, cmv, hcmv, kshv, htlv, htlv 1, siv,
        bacteriophage, bacteriophages, phage, phages, baculovirus, vaccinia, influenza a, influenza, hpv, sv40
        """,
    "6239": "caenorhabditis elegans, caenorhabditis, c elegans, nematode, nematodes, worm, worms",
    "8355": "xenopus, xenopus laevis, xenopus tropicalis, x laevis, x tropicalis, frog, frogs, amphibian",
    "9031": "chicken, chickens, chick, chicks, avian, gallus gallus, hen, quail",
    "9913": "bovine, cow, cows, calf, cattle, bos taurus",
    "9823": "pig, pigs, porcine, swine, sus scrofa",
    "9986": "rabbit, rabbits, oryctolagus cuniculus",
    "9615": "dog, dogs, canine, canis",
    "9940": "sheep, ovine, lamb, lambs",
    "9544": "monkey, monkeys, macaque, macaques, rhesus, baboon, baboons, macaca",
    "9598": "chimpanzee, chimpanzees",
    "10029": "hamster, hamsters",
    "10141": "guinea pig, guinea pigs",
    "9796": "horse, horses, equine",
    "9685": "cats, feline",
    "9925": "goat, goats, caprine",
    "3702": "arabidopsis, arabidopsis thaliana, a thaliana",
    PLANTS: """
        plant, plants, rice, oryza, maize, zea mays, tobacco, nicotiana, tomato, wheat, soybean, barley, potato,
        chlamydomonas, algae, alga, medicago, brassica, petunia, poplar, cotton, grapevine, sorghum
        """,
    FUNGI: """
        fungus, fungi, fungal, neurospora, n crassa, aspergillus, a nidulans, candida, c albicans, cryptococcus,
        ustilago, magnaporthe, kluyveromyces, pichia
        """,
    "44689": "dictyostelium, d discoideum",
    "5820": "plasmodium, p falciparum, malaria parasite",
    "5690": "trypanosoma, t brucei, t cruzi, trypanosome, trypanosomes, leishmania",
    "5810": "toxoplasma, t gondii",
    "7665": "sea urchin, sea urchins",
    "7091": "bombyx, silkworm, silkworms",
    "7157": "mosquito, mosquitoes, anopheles, aedes",
    "7460": "honeybee, honeybees, apis mellifera",
    "7898": "salmon, trout, medaka, carp, goldfish, fugu, teleost, teleosts",
}

#: Longer than the words of an organism in them, and no sign of it.
_MISLEADING_WORDS = """
    yeast two hybrid, yeast 2 hybrid, yeast one hybrid, yeast 1 hybrid, yeast three hybrid, yeast extract,
    rabbit reticulocyte, rabbit reticulocytes, rabbit polyclonal, rabbit anti, mouse anti, goat anti, rat anti,
    mouse monoclonal, fetal bovine serum, fetal calf serum, bovine serum, bovine serum albumin, horseradish,
    chinese hamster, chinese hamster ovary, sheep red blood, phage display, e coli expression, on the fly,
    nude mice, nude mouse, scid mice, scid mouse, athymic mice, athymic mouse, immunodeficient mice, xenograft mice,
    xenograft mouse, mouse xenograft, mouse xenografts, mice xenografts, xenografts in mice, xenografted mice,
    human immunodeficiency virus, human papillomavirus, human cytomegalovirus, human herpesvirus, rat tail
"""

#: Ends of words that name microbes.
MICROBE_ENDINGS = (
    (("virus", "viruses", "viral", "virion"), VIRUSES),
    (("coccus", "bacter", "bacterium", "bacillus", "bacteria", "bacterial"), BACTERIA),
)


def _build_name_table() -> dict[str, dict[tuple[str, ...], str | None]]:
    """By the first word: whole names in words, and the organism, None where the words do not indicate one."""
    table: dict[str, dict[tuple[str, ...], str | None]] = {}
    for taxid, joined_names in [*_ORGANISM_WORDS.items(), (None, _MISLEADING_WORDS)]:
        for name in joined_names.split(","):
            words = tuple(name.split())
            table.setdefault(words[0], {})[words] = taxid
    return table


TAXIDS_BY_FIRST_WORD = _build_name_table()
#: The longest name, in words.
MAX_NAME_WORDS = max(len(words) for names in TAXIDS_BY_FIRST_WORD.values() for words in names)
#: The longest word of each name: a text with none of them names no organism, but perhaps a microbe by its ending.
ORGANISM_HINTS = frozenset(max(words, key=len) for names in TAXIDS_BY_FIRST_WORD.values() for words in names)

#: Words that go with experiments on animals without naming one, and with studies of people.
_ANIMAL_CUES = """
    knockout knockouts knockin null littermates littermate transgenic transgene transgenes deficient cre postnatal
    splenocytes intraperitoneal intraperitoneally embryos embryo embryonic mutants mutant gavage sacrificed hippocampal
    hippocampus pups strains strain vivo e9 e10 e11 e12 e13 e14 e15 e16 e17 e18 conditional conditionally floxed
    ablation ablated tamoxifen wildtype homozygous
"""
_PEOPLE_CUES = """
    cancer cancers carcinoma carcinomas tumor tumors tumour tumours lines polymorphism polymorphisms clinical
    clinically genotype genotypes genotyped risk cohort cohorts alleles chromosome biopsy biopsies individuals years
    population prognosis prognostic prospective immunohistochemistry metastasis adenocarcinoma melanoma leukemia
    lymphoma glioma malignant survival therapy diagnosis syndrome families subjects peripheral
"""
ANIMAL_CUES = frozenset(_ANIMAL_CUES.split())
PEOPLE_CUES = frozenset(_PEOPLE_CUES.split())


#: The short and the Latin name of the organisms of the lexicon that ships, and of others that texts name.
SPECIES_NAMES = {
    "9606": ("human", "Homo sapiens"),
    "10090": ("mouse", "Mus musculus"),
    "10116": ("rat", "Rattus norvegicus"),
    "7955": ("zebrafish", "Danio rerio"),
    "7227": ("fly", "Drosophila melanogaster"),
    "4932": ("yeast", "Saccharomyces cerevisiae"),
    "559292": ("yeast", "Saccharomyces cerevisiae S288C"),
    "4896": ("fission yeast", "Schizosaccharomyces pombe"),
    "562": ("ecoli", "Escherichia coli"),
    "3702": ("arabidopsis", "Arabidopsis thaliana"),
    "6239": ("worm", "Caenorhabditis elegans"),
    "9031": ("chicken", "Gallus gallus"),
    "9913": ("bovine", "Bos taurus"),
    "9823": ("pig", "Sus scrofa"),
    "9986": ("rabbit", "Oryctolagus cuniculus"),
    "9615": ("dog", "Canis lupus familiaris"),
    "8355": ("african clawed frog", "Xenopus laevis"),
    "9940": ("sheep", "Ovis aries"),
    "9544": ("rhesus macaque", "Macaca mulatta"),
    "9598": ("chimpanzee", "Pan troglodytes"),
    "9796": ("horse", "Equus caballus"),
    "9685": ("cat", "Felis catus"),
    "9925": ("goat", "Capra hircus"),
    "10029": ("chinese hamster", "Cricetulus griseus"),
    "10141": ("guinea pig", "Cavia porcellus"),
    "44689": ("slime mold", "Dictyostelium discoideum"),
    "2": ("bacteria", "Bacteria"),
    "4751": ("fungi", "Fungi"),
    "10239": ("viruses", "Viruses"),
    "33090": ("green plants", "Viridiplantae"),
    "2697049": ("SARS-CoV-2", "Severe acute respiratory syndrome coronavirus 2"),
}

CELL_LINES_FORMAT = "ppi-miner cell lines"
CELL_LINES_VERSION = 1
CELL_LINES_FILE = "cell_lines.zip"
#: Organisms whose lines are kept, by the names of their arrays.
CELL_LINE_TAXIDS = {"human": HUMAN, "mouse": MOUSE, "rat": RAT}

_CELL_LINE_NAME = re.compile(r"[a-z0-9]+(?:[-/][a-z0-9]+)*")
_CELL_WORD = re.compile(r"\bcells?\b")
_MIN_CELL_LINE_LENGTH, _MAX_CELL_LINE_LENGTH = 3, 8
_WORD = re.compile(r"[a-z0-9]+")
#: Each word with one of the endings of microbes has one of these.
_ENDING_HINTS = ("vir", "cocc", "bact", "bacil")


def latin_name(taxid: str | None) -> str | None:
    """The Latin name of a species; None if it is not known.

    >>> latin_name("9606"), latin_name("1")
    ('Homo sapiens', None)
    """
    return SPECIES_NAMES[taxid][1] if taxid in SPECIES_NAMES else None


def find_cell_lines(lower: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and organism of the cell lines that a sentence, in small letters, names; O(characters)."""
    if _CELL_WORD.search(lower) is None:
        return
    taxid_by_hash = _load_cell_lines()
    for match in _CELL_LINE_NAME.finditer(lower):
        key = match[0].replace("-", "").replace("/", "")
        long_enough = len(key) > _MIN_CELL_LINE_LENGTH or lower.startswith(" cell", match.end())
        if is_distinctive_name(key) and long_enough and (taxid := taxid_by_hash.get(hash_name(key))) is not None:
            yield match.start(), match.end(), taxid


def is_distinctive_name(key: str) -> bool:
    """Whether a name of letters and digits differs from a word: it has both, and neither few nor many.

    >>> [is_distinctive_name(key) for key in ("panc1", "hela", "lx2", "t2", "1234", "gm00001234")]
    [True, False, True, False, False, False]
    """
    return _MIN_CELL_LINE_LENGTH <= len(key) <= _MAX_CELL_LINE_LENGTH and not key.isdigit() and not key.isalpha()


def hash_name(key: str) -> int:
    """What a name is kept by."""
    return crc32(key.encode())


@cache
def _load_cell_lines() -> dict[int, str]:
    from ppi.core import read_archive  # numpy, which most users of this module do without

    path = Path(__file__).with_name(CELL_LINES_FILE)
    _, arrays = read_archive(path, format=CELL_LINES_FORMAT, versions=(CELL_LINES_VERSION,))
    return {number: taxid for name, taxid in CELL_LINE_TAXIDS.items() for number in arrays[name].tolist()}


class SpeciesMention(NamedTuple):
    """The name of an organism, at characters of a text."""

    start: int
    end: int
    taxid: str


def find_species(text: str) -> list[SpeciesMention]:
    """The organisms that a text names, in its order; O(characters): the longest name at a place counts.

    >>> [(word.taxid, word.start) for word in find_species("murine and S. pombe cells, not yeast two-hybrid")]
    [('10090', 0), ('4896', 11)]
    """
    lower = _lowercase(text)
    return _scan_species(lower, _WORD.findall(lower))


def _lowercase(text: str) -> str:
    """In small letters, and no longer than it was: capitals that become two characters stay."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    return lower


def _scan_species(lower: str, words: list[str]) -> list[SpeciesMention]:
    mentions = [SpeciesMention(*line) for line in find_cell_lines(lower)]
    if ORGANISM_HINTS.isdisjoint(words) and not any(hint in lower for hint in _ENDING_HINTS):
        return mentions  # as most sentences
    covered_offsets = {offset for word in mentions for offset in range(word.start, word.end)}
    word_spans = [word.span() for word in _WORD.finditer(lower)]
    index = 0
    while index < len(words):
        length, taxid = _match_name(words, index)
        if taxid is not None and word_spans[index][0] not in covered_offsets:  # "NIH-3T3" is one line, not also "3T3"
            mentions.append(SpeciesMention(word_spans[index][0], word_spans[index + length - 1][1], taxid))
        index += length
    return sorted(mentions)


def _match_name(words: list[str], index: int) -> tuple[int, str | None]:
    """The longest name at a place, in words, and its organism."""
    word = words[index]
    if names := TAXIDS_BY_FIRST_WORD.get(word):
        for size in range(min(MAX_NAME_WORDS, len(words) - index), 0, -1):
            name = tuple(words[index : index + size])
            if name in names:
                return size, names[name]
    return 1, next((kingdom for endings, kingdom in MICROBE_ENDINGS if word.endswith(endings)), None)


class Neighbourhood(NamedTuple):
    """The organisms named around a mention: inside it, before and after it in its sentence (None: no word)."""

    inside: str | None
    before: str | None
    after: str | None

    @property
    def nearest(self) -> str | None:
        """The organism inside, else the one before, else the one after."""
        return self.inside or self.before or self.after


class DocumentSpecies:
    """The organisms of a document: where its sentences name them, and how often.

    O(characters) to make; O(log of the words of a sentence) to ask for a mention.
    """

    def __init__(self, document: Document) -> None:
        self._mentions: list[list[SpeciesMention]] = []
        #: how many words go with experiments on animals, and with studies of people
        self.animal_cues = self.people_cues = 0
        for sentence in document.sentences:
            lower = _lowercase(sentence.text)
            words = _WORD.findall(lower)
            self._mentions.append(_scan_species(lower, words))
            self.animal_cues += sum(map(ANIMAL_CUES.__contains__, words))
            self.people_cues += sum(map(PEOPLE_CUES.__contains__, words))
        self._ends = [[word.end for word in words] for words in self._mentions]

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each organism is named."""
        return Counter(word.taxid for words in self._mentions for word in words)

    @cached_property
    def first(self) -> str | None:
        """The organism named first, usually in the title."""
        return next((word.taxid for words in self._mentions for word in words), None)

    @cached_property
    def total(self) -> int:
        """How many words name an organism."""
        return self.counts.total()

    @cached_property
    def dominant(self) -> str | None:
        """The organism named most, the earlier one of equals."""
        return max(self.counts, key=self.counts.__getitem__, default=None)

    @cached_property
    def foreign_proportion(self) -> float:
        """Of the words that name an organism, the proportion whose organism is none of :data:`LEXICON_SPECIES`."""
        return 1 - sum(self.counts[taxid] for taxid in LEXICON_SPECIES) / self.total if self.total else 0.0

    def neighbourhood(self, sentence: int, start: int, end: int) -> Neighbourhood:
        """What stands around characters ``start`` to ``end`` of a sentence, by its number."""
        words, ends = self._mentions[sentence], self._ends[sentence]
        inside = bisect_left(ends, start + 1)
        after = inside
        while after < len(words) and words[after].start < end:
            after += 1
        return Neighbourhood(
            words[after - 1].taxid if after > inside else None,
            words[inside - 1].taxid if inside else None,
            words[after].taxid if after < len(words) else None,
        )
