"""What a curator can say of a sentence that the program takes for an interaction, and what it says of the two.

===================  ==============================================  ===========  ======================================
verdict              the sentence                                    interacts    type
===================  ==============================================  ===========  ======================================
``right``            says what the program found                     yes          the one found
``wrong``            does not say that the two interact              no           none
``wrong type``       says that they interact, in another way         yes          the one that the curator names, if any
``wrong direction``  says that the other one acts                    yes          the one found, agent and target turned
``not a protein``    has a name in it that is not that of a protein  no           none; it says nothing of the sentence
===================  ==============================================  ===========  ======================================

What each teaches a model is said in :mod:`ppi.extraction.judgements`.
"""

from __future__ import annotations

from ppi.extraction.judgements import NOT_A_PROTEIN, RIGHT, VERDICTS, WRONG, WRONG_DIRECTION, WRONG_TYPE

__all__ = ["NOT_A_PROTEIN", "RIGHT", "VERDICTS", "WRONG", "WRONG_DIRECTION", "WRONG_TYPE", "interacts"]


def interacts(verdict: str) -> bool:
    """Whether two proteins interact by that verdict.

    >>> [interacts(verdict) for verdict in VERDICTS]
    [True, False, True, True, False]
    """
    return verdict in (RIGHT, WRONG_TYPE, WRONG_DIRECTION)
