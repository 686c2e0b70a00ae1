"""A small archive in the form of Reuters-21578, with made-up stories whose words tell their topic."""

import io
import tarfile

import numpy as np

TOPICS = ("acq", "earn", "money-fx")


def story_sgml(number, *, split="TRAIN", topics=("acq",), text="", used="YES"):
    """One story as the collection writes it, control characters and all."""
    listed = "".join(f"<D>{topic}</D>" for topic in topics)
    return (
        f'<REUTERS TOPICS="{used}" LEWISSPLIT="{split}" CGISPLIT="TRAINING-SET" OLDID="{number}" NEWID="{number}">\n'
        f"<DATE>26-FEB-1987 15:01:01.79</DATE>\n<TOPICS>{listed}</TOPICS>\n<PLACES><D>usa</D></PLACES>\n"
        f"<UNKNOWN> \n&#5;&#5;&#5;C T\n&#22;&#22;&#1;f0704&#31;reute</UNKNOWN>\n"
        f"<TEXT>&#2;\n<TITLE>STORY {number}</TITLE>\n<DATELINE>    NEW YORK, Feb 26 - </DATELINE>"
        f"<BODY>{text}\n Reuter\n&#3;</BODY></TEXT>\n</REUTERS>\n"
    )


def write_archive(path, files):
    """A tar.gz of named texts, latin-1."""
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            content = text.encode("latin-1")
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


def write_collection(folder, n_stories=260, seed=0):
    """``folder/reuters21578.tar.gz`` with every fourth story for test; a third of the words are the topic's own."""
    rng = np.random.default_rng(seed)
    header = '<!DOCTYPE lewis SYSTEM "lewis.dtd">\n'
    files = {"reut2-000.sgm": header, "reut2-001.sgm": header, "README.txt": "not a story"}
    for number in range(1, n_stories + 1):
        topic = rng.choice(len(TOPICS), p=[0.35, 0.45, 0.2])
        own = rng.integers(0, 15, 10)
        common = rng.integers(0, 80, 20)
        words = [f"{TOPICS[topic].replace('-', '')}{i}" for i in own] + [f"word{i}" for i in common]
        text = story_sgml(
            number, split="TEST" if number % 4 == 0 else "TRAIN", topics=(TOPICS[topic],), text=" ".join(words)
        )
        files[f"reut2-00{number % 2}.sgm"] += text
    return write_archive(folder / "reuters21578.tar.gz", files)
