"""Words that say whether a stop ends a sentence: abbreviations, nouns that take a letter, words that begin one."""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Written with a stop, which never ends a sentence: something always follows.  Lower case, without the last stop.
NEVER_LAST = _words(
    """
    approx ca cf chr dept e.g eg eq eqn eqns eqs est fig figs i.e ie incl ref refs resp sect ssp str subsp
    supp suppl univ viz vol vols vs
    """
)
#: The same, but with a capital; without it the word is another one (ms, st).
TITLES = _words("Dr Drs Mr Mrs Ms Mt Mts Ph Prof St")
#: Written with a stop, which ends a sentence only before a word that begins one.  Lower case, without the last stop.
SELDOM_LAST = _words(
    """
    acad al am annu biochem biol biophys bot bros bull cat chem clin co commun comp corp curr ed eds endocrinol environ
    etc eur exp ext gastroenterol gen genet hematol immunol inc int jr lett ltd med microbiol mol natl neurobiol neurol
    neurosci nutr oncol opin pathol pharmacol phys physiol pp proc psychiatry res rev sci ser soc sp spp sr struct surg
    symp tab toxicol trans var virol
    """
)
#: What follows these with a stop is a number, or it was an ordinary word: "accession no. CAJ01698.1".
BEFORE_NUMBERS = _words("no nos nr art para ch chap sec lot ver v p pp n")

#: Nouns that a letter follows: "protein kinase C." may end a sentence, "by C." does not.
NOUNS_WITH_LETTER = _words(
    """
    alpha beta gamma delta epsilon kappa lambda sigma
    amphotericin annexin apolipoprotein box buffer calcineurin caspase cathepsin chain class complex condition
    cyclin cyclosporin cyclosporine cystatin cytochrome domain element enterotoxin exon factor form fraction
    gene globulin granzyme group haemophilia hemophilia hepatitis immunoglobulin influenza isoform kinase kinases lamin
    lane latrunculin leptomycin ligand line lineage locus medium motif neuraminidase neurokinin panel panels
    part pathway phase phosphatase polymerase position procedure protein proteins protocol receptor region
    ribonuclease rnase series site solution state step stage staurosporine strain sub-group subgroup subtype
    subunit subunits tenascin toxin toxins type types variant vitamin vitamins virus
    """
)
#: Enzymes and proteins by their endings: "DNase I.", "lamin A."
LETTERED_NOUN = re.compile(r"(?!(?:cert|contain|obtain|remain|with|aga?)in)[a-zA-Z]{2,}(?:ases?|ins?)\Z")

#: Words that begin sentences and are hardly ever names of persons or places.
STARTERS = _words(
    """
    Accordingly Additionally After Again All Also Alternatively Although Among An And Another Are As At Based Because
    Before Besides Between Both Briefly But By Can Collectively Compared Consequently Consistent Consistently Contrary
    Conversely Could Data Despite Did Do Does Due During Each Either Even Every Few Finally First Firstly Following For
    From Further Furthermore Given Hence Here How However If Importantly In Indeed Instead Interestingly Is It Its
    Lastly Later Less Like Likewise Many Meanwhile More Moreover Most Much Namely Neither Nevertheless Next No None
    Nonetheless Nor Not Notably Note Now On Once One Only Or Other Others Otherwise Our Over Overall Part Particularly
    Please Possibly Presumably Previous Previously Rather Recent Recently Remarkably Results Second Secondly See Several
    Similar Similarly Since So Some Specifically Still Subsequent Subsequently Such Surprisingly Taken That The Their
    Then There Therefore These They Third Thirdly This Those Though Three Through Throughout Thus To Together Two Under
    Unexpectedly Unless Unlike Until Upon Using Was We Were What When Where Whereas Whether Which While Who Why With
    Within Without Yet You
    """
)

#: A line that ends with one of these goes on in the next.
CONTINUATION_WORDS = _words(
    """
    a an and are as at be been between both but by can could do does for from had has have if in into is its may might
    must nor of on or our shall should such than that the their these this those through to via was were when where
    whereas whether which while whose will with within without would
    """
)

#: Section numbers, letters and Roman numerals that count items: "2.2.", "B.", "iv."
ENUMERATOR = re.compile(r"(?:[A-Z]?\d{1,2}(?:\.\d{1,2})*|[A-Za-z]|[ivxIVX]{2,5})\Z")
#: One letter, or several with stops between them: "J", "J.A", "U.S".
INITIALS = re.compile(r"[^\W\d_](?:\.-?[^\W\d_]{1,2})*\.?\Z")
