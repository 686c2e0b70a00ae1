"""What organisms are called, by NCBI's numbers: those of the lexicon that ships, and those that texts name."""

from __future__ import annotations

#: The short name and the Latin one.
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


def latin_name(taxid: str | None) -> str | None:
    """The Latin name of a species; None if it is not known.

    >>> latin_name("9606"), latin_name("1")
    ('Homo sapiens', None)
    """
    return SPECIES_NAMES[taxid][1] if taxid in SPECIES_NAMES else None
