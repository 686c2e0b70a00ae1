"""Documents with events, made by hand: short sentences with a parse, and what they say of the proteins in them."""

from corpora import Dependency, DependencyGraph, Document, Entity, Event, Pair, Sentence, Token, Trigger

#: A sentence, and its event: type, the word that says it, and the arguments by word; or nothing.
TEMPLATES = (
    ("{0} binds {1}", "Binding", "binds", ("Theme", 0), ("Theme2", 1)),
    ("{0} forms complexes with {1}", "Binding", "complexes", ("Theme", 0), ("Theme2", 1)),
    ("{0} phosphorylates {1}", "Phosphorylation", "phosphorylates", ("Cause", 0), ("Theme", 1)),
    ("{0} is phosphorylated by {1}", "Phosphorylation", "phosphorylated", ("Theme", 0), ("Cause", 1)),
    ("{0} activates {1}", "Positive_regulation", "activates", ("Cause", 0), ("Theme", 1)),
    ("{0} is inhibited by {1}", "Negative_regulation", "inhibited", ("Theme", 0), ("Cause", 1)),
    ("{0} resembles {1}",),
    ("{0} and {1} were bought",),
)


def sentence(id, text, *, names, head=None, offset=0, type="Protein", labels=None):
    """The words of ``text``, all hanging on ``head`` (else the second); ``names`` are the proteins among them.

    ``labels`` are those of its pairs, as {(name, name): label}.
    """
    words, tokens, place = text.split(), [], 0
    for number, word in enumerate(words):
        tokens.append(Token(f"{number}", place, place + len(word), word, "NN"))
        place += len(word) + 1
    top = words.index(head) if head else 1
    arcs = [
        Dependency(str(top), str(number), "nsubj" if number < top else "dobj")
        for number in range(len(words))
        if number != top
    ]
    entities = tuple(
        Entity(f"{id}.{word}", word, ((token.start, token.end),), type)
        for word, token in zip(words, tokens)
        if word in names
    )
    pairs = tuple(
        Pair(f"{id}.p{number}", f"{id}.{first}", f"{id}.{second}", label)
        for number, ((first, second), label) in enumerate((labels or {}).items())
    )
    parse = DependencyGraph("hand", "words", tuple(tokens), tuple(arcs))
    return Sentence(id, text, entities, pairs, (parse,), offset)


def document(id, text, *events, names, equivalences=(), **options):
    """One sentence with events written as ``E1 Binding Theme:A Theme2:B !Negation``; their triggers are its first word.

    Arguments are proteins by name or events by id.
    """
    only = sentence(f"{id}.s", text, names=names, **options)
    made = []
    for written in events:
        event, type, *rest = written.split()
        arguments = tuple(tuple(word.split(":")) for word in rest if ":" in word)
        named = tuple((role, f"{only.id}.{to}" if to in names else to) for role, to in arguments)
        made.append(Event(event, type, "t", named, tuple(word[1:] for word in rest if word[0] == "!")))
    first = only.parses[0].tokens[0]
    same = tuple(tuple(f"{only.id}.{name}" for name in members) for members in equivalences)
    triggers = (Trigger("t", first.text, ((first.start, first.end),), "Any"),) if events else ()
    return Document(id, (only,), triggers=triggers, events=tuple(made), equivalences=same)


def event_corpus(name, n_documents, *, templates=TEMPLATES):
    """Documents with one sentence per template; no two sentences of any corpora are the same."""
    return [_told(f"{name}{number}", templates) for number in range(n_documents)]


def pair_corpus(name, n_documents):
    """Documents that say which pairs interact and nothing more, in the same sentences."""
    made = []
    for number in range(n_documents):
        sentences = []
        for place, (text, *said) in enumerate(TEMPLATES):
            names = tuple(f"{name}{number}x{place}{end}" for end in "ab")
            head = said[1] if said else None
            id, labels = f"{name}{number}.{place}", {names: bool(said)}
            sentences.append(sentence(id, text.format(*names), names=names, head=head, labels=labels))
        made.append(Document(f"{name}{number}", tuple(sentences)))
    return made


def _told(id, templates):
    sentences, triggers, events, offset = [], [], [], 0
    for place, (text, *said) in enumerate(templates):
        names = tuple(f"{id}x{place}{end}" for end in "ab")
        head = said[1] if said else None
        made = sentence(f"{id}.{place}", text.format(*names), names=names, head=head, offset=offset)
        if said:
            type, word, *arguments = said
            start = offset + made.text.index(word)
            triggers.append(Trigger(f"{made.id}.t", word, ((start, start + len(word)),), type))
            named = tuple((role, f"{made.id}.{names[end]}") for role, end in arguments)
            events.append(Event(f"{made.id}.e", type, triggers[-1].id, named))
        sentences.append(made)
        offset += len(made.text) + 1
    return Document(id, tuple(sentences), triggers=tuple(triggers), events=tuple(events))
