"""What a curator can say of a sentence that the program takes for an interaction, and what each verdict teaches.

===================  ==============================================  ===========  ======================================
verdict              the sentence                                    interacts    type
===================  ==============================================  ===========  ======================================
``right``            says what the program found                     yes          the one found
``wrong``            does not say that the two interact              no           none
``wrong type``       says that they interact, in another way         yes          the one that the curator names, if any
``wrong direction``  says that the other one acts                    yes          the one found, agent and target turned
``not a protein``    one of the two names is not that of a protein   no           none; it says nothing of the sentence
===================  ==============================================  ===========  ======================================
"""

from __future__ import annotations

RIGHT, WRONG, WRONG_TYPE, WRONG_DIRECTION, NOT_PROTEIN = VERDICTS = (
    "right",
    "wrong",
    "wrong type",
    "wrong direction",
    "not a protein",
)
_INTERACT = frozenset({RIGHT, WRONG_TYPE, WRONG_DIRECTION})


def interacts(verdict: str) -> bool:
    """Whether two proteins interact by that verdict.

    >>> [interacts(verdict) for verdict in VERDICTS]
    [True, False, True, True, False]
    """
    return verdict in _INTERACT
