"""What tests run in other processes; a module of its own, so that a process that starts anew can import it."""


def scored(annotator, text):
    """Pairs, names and scores of a text."""
    return [(one.pair, one.names, one.score) for one in annotator.annotate(text, explain=False)]
