"""Backends by name."""

from __future__ import annotations

from ppi.errors import UnknownBackendError
from ppi.parsing.backend import Backend
from ppi.parsing.conllu_backend import ConlluBackend
from ppi.parsing.spacy_backend import installed_backend, shipped_backend


def get_backend(name: str, *, entities: bool = True) -> Backend:
    """The backend called ``name``.

    Parameters
    ----------
    name
        ``shipped``, or ``shipped:GUIDELINE`` for whose idea of a protein name (``shipped:bc2gm`` genes and their
        products by name, ``shipped:jnlpba`` proteins with their families); ``stanza`` or ``stanza:PACKAGE`` (such as
        ``stanza:craft``); ``conllu:PATH``; or the name of an installed spaCy pipeline.
    entities
        Whether the backend should look for names, if it can.

    Raises
    ------
    UnknownBackendError
        If there is none of that name.
    MissingModelError
        If its model is not there.
    MissingExtraError
        If it needs a package that is not installed.
    """
    kind, _, argument = name.partition(":")
    if kind == "shipped":
        return shipped_backend(argument or "auto", entities=entities)
    if kind == "stanza":
        from ppi.parsing.stanza_backend import StanzaBackend

        return StanzaBackend.load(argument or "craft")
    if kind == "conllu":
        if not argument:
            raise UnknownBackendError("expected conllu:PATH, got no path after 'conllu'")
        return ConlluBackend.read(argument)
    return installed_backend(name, entities=entities)
