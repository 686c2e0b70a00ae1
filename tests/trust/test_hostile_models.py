"""Model files that are damaged, of somebody else, or meant to do harm: each is refused, with the reason."""

import json
import stat
import zipfile

import numpy as np
import pytest
from hostile_archives import HEADER, Member, announced, array_bytes, contents, raw_zip, rewritten

import corpora
from ppi.annotation import MODEL_FILE
from ppi.core import ModelFileError
from ppi.extraction import Extractor
from ppi.parse_ranking import MODEL_DIRECTORY, ParseRanker

#: A value of each type that JSON has.
OF_EACH_TYPE = [None, True, 3, 2.5, "text", ["text"], {"key": 1}]


@pytest.fixture
def target(tmp_path):
    return tmp_path / "hostile.zip"


def honest(path) -> list[Member]:
    return [Member(name, data) for name, data in contents(path).items()]


def test_the_zips_made_by_hand_are_read_like_others(small_extractor, target):
    target.write_bytes(raw_zip(honest(small_extractor)))
    assert np.array_equal(Extractor.load(target).weights_, Extractor.load(small_extractor).weights_)


def test_equal_models_are_equal_files(small_extractor, tmp_path):
    Extractor.load(small_extractor).save(tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == small_extractor.read_bytes()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", r"expected a model file \(a zip\)"),
        (b"GIF89a" + bytes(1000), r"expected a model file \(a zip\)"),
        (b"PK\x03\x04" + bytes(1000), r"expected a model file \(a zip\)"),
        (raw_zip([]), "expected a model with a model.json, got a zip of \\[\\]"),
        (raw_zip([Member("weights.npy", b"x")]), "got a zip of \\['weights.npy'\\]"),
        (raw_zip([Member(HEADER, b"{")]), "expected the contents of a model, got: Expecting property name"),
        (raw_zip([Member(HEADER, b"\xff\xfe\xfd")]), "expected the contents of a model"),
        (raw_zip([Member(HEADER, b"[" * 100_000)]), "JSON nested too deeply"),
        (raw_zip([Member(HEADER, b'{"a":' * 100_000)]), "JSON nested too deeply"),
        (
            raw_zip([Member(HEADER, b'"' + b"x" * 100_000 + b'"')]),
            r"a ppi-extractor model, got 'xxx.*\.\.\.",
        ),
        (raw_zip([Member(HEADER, b"9" * 5000)]), "expected the contents of a model"),
    ],
)
def test_other_files(target, data, message):
    target.write_bytes(data)
    with pytest.raises(ModelFileError, match=message) as caught:
        Extractor.load(target)
    assert len(str(caught.value)) < 1000


def test_a_folder(tmp_path):
    with pytest.raises(ModelFileError, match="expected a readable model file"):
        Extractor.load(tmp_path)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("shipped", [MODEL_FILE, *sorted(MODEL_DIRECTORY.glob("*.zip"))], ids=lambda path: path.stem)
def test_shipped_models_cut_short(shipped, share, target):
    data = shipped.read_bytes()
    target.write_bytes(data[: int(share * len(data))])
    with pytest.raises(ModelFileError, match=r"expected a model file \(a zip\)"):
        (Extractor if shipped == MODEL_FILE else ParseRanker).load(target)


@pytest.mark.parametrize(
    "name", ["../../evil.npy", "/etc/passwd", "a/b.npy", "..npy", "C:\\x.npy", "x.py", "", "é.npy"]
)
def test_members_we_do_not_write(small_extractor, target, name):
    target.write_bytes(raw_zip([*honest(small_extractor), Member(name, array_bytes([1.0]))]))
    with pytest.raises(ModelFileError, match=r"expected model.json and arrays \(NAME.npy\) only"):
        Extractor.load(target)


@pytest.mark.parametrize("name", [HEADER, "weights.npy"])
def test_a_member_twice(small_extractor, target, name):
    twice = contents(small_extractor)[name]
    target.write_bytes(raw_zip([*honest(small_extractor), Member(name, twice)]))
    with pytest.raises(ModelFileError, match="expected each member once"):
        Extractor.load(target)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"flags": 0x1}, "which is encrypted"),
        ({"mode": stat.S_IFLNK | 0o777}, "a link or a device"),
        ({"mode": stat.S_IFDIR | 0o755}, "a link or a device"),
        ({"method": zipfile.ZIP_BZIP2}, "stored or deflated"),
        ({"method": zipfile.ZIP_LZMA}, "stored or deflated"),
        ({"method": 99}, "stored or deflated"),
        ({"file_size": 2**32 - 2}, "at most 4194304 bytes, got 4294967294"),
        ({"compress_size": 2**31, "file_size": 2**30}, "expected members that fit into its"),
        ({"file_size": 7}, r"expected a model file \(a zip\), got: Bad CRC-32"),
        ({"file_size": 5000}, r"expected a model file \(a zip\)"),
        ({"packed": b"\xff" * 50}, r"expected a model file \(a zip\)"),
    ],
)
def test_entries_that_lie(small_extractor, target, changes, message):
    others = [one for one in honest(small_extractor) if one.name != "weights.npy"]
    target.write_bytes(raw_zip([*others, Member("weights.npy", array_bytes([1.0]), **changes)]))
    with pytest.raises(ModelFileError, match=message):
        Extractor.load(target)


def test_members_that_share_their_bytes(small_extractor, target):
    first, *rest = honest(small_extractor)
    large = Member("a.npy", np.random.default_rng(0).bytes(50_000))
    copies = [Member(f"a{n}.npy", large.data, offset=0) for n in range(8)]
    target.write_bytes(raw_zip([large, *copies, first, *rest]))
    with pytest.raises(ModelFileError, match="got larger or shared ones"):
        Extractor.load(target)


def test_too_many_members(small_extractor, target):
    more = [Member(f"a{n}.npy", array_bytes([1.0])) for n in range(20)]
    target.write_bytes(raw_zip([*honest(small_extractor), *more]))
    with pytest.raises(ModelFileError, match="expected at most 16 members, got"):
        Extractor.load(target)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (
            announced("<f8", "(1000000000000,)"),
            "expected 1000000000000 numbers of float64 .* got 0 bytes",
        ),
        (announced("<f8", "(3,)", bytes(16)), "expected 3 numbers of float64"),
        (announced("<f8", "(99999999999999999999999,)"), "expected flat arrays of numbers"),
        (announced("<f8", "(-1,)"), "expected flat arrays of numbers"),
        (announced("<f8", "(2, 2)", bytes(32)), "expected flat arrays of numbers"),
        (announced("<f8", "()", bytes(8)), "expected flat arrays of numbers"),
        (announced("|O", "(1,)", b"cos\nsystem\n(S'true'\ntR."), "expected flat arrays of numbers"),
        (announced("<f16", "(1,)", bytes(16)), "expected flat arrays of numbers"),
        (announced("<c16", "(1,)", bytes(16)), "expected flat arrays of numbers"),
        (announced("<f8' + __import__('os').name + '", "(1,)", bytes(8)), "expected flat arrays of numbers"),
        (announced("<f8", "(" * 3000), "expected flat arrays of numbers"),
        (b"", "expected flat arrays of numbers"),
        (array_bytes(np.ones(3, dtype=np.int64)), "expected flat arrays of numbers"),
        (array_bytes(np.ones(3, dtype=bool)), "expected flat arrays of numbers"),
        (array_bytes(np.array(["a"])), "expected flat arrays of numbers"),
        (array_bytes(np.zeros(3, dtype=[("a", "<f8")])), "expected flat arrays of numbers"),
        (array_bytes(np.ones(3), version=(2, 0)), "expected flat arrays of numbers"),
        (array_bytes(np.array([1.0, np.nan])), "expected finite weights"),
        (array_bytes(np.array([-np.inf])), "expected finite weights"),
        (array_bytes(np.array([1e200])), "expected weights up to 1e\\+30"),
        (array_bytes(np.ones(3)), "expected .* weights"),
        (array_bytes(np.ones(3, dtype=np.uint64)), "expected weights with fractions, got uint64|of kind 'f'"),
    ],
)
def test_arrays_that_are_no_weights(small_extractor, small_rankers, target, weights, message):
    with pytest.raises(ModelFileError, match=message):
        Extractor.load(rewritten(small_extractor, target, weights=weights))
    with pytest.raises(ModelFileError, match=message):
        ParseRanker.load(rewritten(small_rankers["linear"], target, weights=weights))


@pytest.mark.parametrize("version", [99, 0, -1, "2", None, True, [2], 2.0, 10**40])
def test_other_versions(small_extractor, small_rankers, target, version):
    for cls, path in ((Extractor, small_extractor), (ParseRanker, small_rankers["linear"])):
        with pytest.raises(ModelFileError, match=r"expected model version ., got .*install that version"):
            cls.load(rewritten(path, target, header={"version": version}))


def test_models_of_each_other(small_extractor, small_rankers):
    with pytest.raises(ModelFileError, match="expected a ppi-extractor model"):
        Extractor.load(small_rankers["linear"])
    with pytest.raises(ModelFileError, match="expected a ppi-parse-ranker model"):
        ParseRanker.load(small_extractor)


def wrong_values(right):
    """Values of every JSON type that does not stand for the right one; null may stand for "none given"."""
    same = {int: (int,), float: (int, float)}.get(type(right), (type(right),))
    return [value for value in OF_EACH_TYPE if type(value) not in same and value is not None]


def wrong_headers(header, *, skip):
    """The header with one field, or one field of one of its objects, of another type or missing."""
    for name, value in header.items():
        if name in skip:
            continue
        yield from ({**header, name: wrong} for wrong in wrong_values(value) if value is not None)
        yield {key: each for key, each in header.items() if key != name}
        if isinstance(value, dict) and name != "facts":
            for inner, part in value.items():
                for wrong in wrong_values(part):
                    if part is not None:
                        yield {**header, name: {**value, inner: wrong}}
            yield {**header, name: {**value, "unknown": 1}} if name in ("parameters", "learning", "features") else {}


def load_and_say(cls, path, header):
    cls.load(path)
    pytest.fail(f"accepted {header}")


@pytest.mark.parametrize("model", ["extractor", "linear", "gaussian"])
def test_every_header_field_of_every_wrong_type(small_extractor, small_rankers, target, model):
    path, cls = (small_extractor, Extractor) if model == "extractor" else (small_rankers[model], ParseRanker)
    members = contents(path)
    headers = list(wrong_headers(json.loads(members[HEADER]), skip=("written_by", "date")))
    assert len(headers) > 60
    for header in headers:
        packed = {**members, HEADER: json.dumps(header).encode()}
        target.write_bytes(raw_zip(Member(name, data) for name, data in packed.items()))
        with pytest.raises(ModelFileError, match="expected"):
            load_and_say(cls, target, header)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ({"intercepts": [float("nan")]}, "intercepts to be a list of 1 finite numbers"),
        ({"intercepts": [0.0, 0.0]}, "intercepts to be a list of 1 finite numbers"),
        ({"outputs": ["interaction", "x"]}, "expected outputs"),
        ({"threshold": float("inf")}, "header.threshold"),
        ({"regparam": 10**400}, "header.regparam"),
        (
            {"calibrations": {"interaction": {"kind": "platt", "scores": [], "values": [10**400, 0]}}},
            "contents of a model",
        ),
        (
            {"calibrations": {"interaction": {"kind": "platt", "scores": [], "values": [float("nan"), 0]}}},
            "contents of a model",
        ),
        ({"parameters": {"kernel": "all-paths", "n_features": 2**31}}, "n_features to be None or a power of 2"),
        ({"parameters": {"kernel": "all-paths", "n_features": 2**30}}, "expected 1073741824 weights"),
        ({"parameters": {"kernel": "os.system"}}, "expected a kernel, one of"),
        ({"vocabularies": {}}, "got none called 'all-paths'"),
    ],
)
def test_extractor_headers_out_of_range(small_extractor, target, header, message):
    with pytest.raises(ModelFileError, match=message):
        Extractor.load(rewritten(small_extractor, target, header=header))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"names": ["a", "a"]}, "expected distinct feature names"),
        ({"names": ["a", 1]}, "context.names to be a list of texts"),
        ({"names": "abc"}, "context.names to be a list of texts"),
        ({"names": ["a"]}, "expected .* weights for its features"),
        ({}, "got none called 'names'"),
    ],
)
def test_vocabularies_that_do_not_fit(small_extractor, target, change, message):
    header = json.loads(contents(small_extractor)[HEADER])
    vocabularies = {**header["vocabularies"], "context": change}
    with pytest.raises(ModelFileError, match=message):
        Extractor.load(rewritten(small_extractor, target, header={"vocabularies": vocabularies}))


@pytest.mark.parametrize(
    ("bases", "message"),
    [
        ([], r"expected all-paths\.bases to be the roles .* first"),
        ([["role", "PROT2"], ["role", "PROT1"], ["role", "PROT"]], "to be the roles .* first"),
        ([["role", "PROT1"], ["role", "PROT2"], ["role", "PROT"]], "expected label numbers below"),
        ([["text", "a"], ["text", "a"]], "once, got repeated ones"),
        ([["text", "a", "b"]], "list of pairs"),
        ([["text", 1]], "list of texts"),
        (["ab"], "list of pairs"),
        ("abc", "list of pairs"),
        (7, "list of pairs"),
    ],
)
def test_bases_that_do_not_fit(small_extractor, target, bases, message):
    header = json.loads(contents(small_extractor)[HEADER])
    vocabularies = {**header["vocabularies"], "all-paths": {"bases": bases}}
    with pytest.raises(ModelFileError, match=message):
        Extractor.load(rewritten(small_extractor, target, header={"vocabularies": vocabularies}))


@pytest.mark.parametrize("keys", [np.array([2**64 - 1], dtype=np.uint64), np.array([1.0]), np.array([1], np.uint8)])
def test_keys_that_do_not_fit(small_extractor, target, keys):
    with pytest.raises(ModelFileError, match=r"expected label numbers below|64-bit whole numbers"):
        Extractor.load(rewritten(small_extractor, target, **{"all-paths.keys": array_bytes(keys)}))


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ({"features": {"max_length": 10**9}}, "expected max_length of at most 100, got 1000000000"),
        ({"features": {"max_length": 3, "decay": 1e200}}, "contents of a model"),
        ({"features": {"n_features": 2**40}}, "n_features"),
        ({"features": {"labels": ["word"] * 3 + ["evil"]}}, "expected labels among"),
        ({"learning": {"kernel": "gaussian", "gamma": -1.0}}, "expected a gamma above 0"),
        ({"learning": {"kernel": "linear"}}, "got none called 'weights'"),
        ({"learning": {"folds": 0}}, "expected folds"),
        ({"parses_per_sentence": -3}, "expected parses_per_sentence"),
        ({"regparam": float("-inf")}, "header.regparam"),
    ],
)
def test_ranker_headers_out_of_range(small_rankers, target, header, message):
    with pytest.raises(ModelFileError, match=message):
        ParseRanker.load(rewritten(small_rankers["gaussian"], target, header=header))


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("columns", np.full(4, 2**32 - 1, dtype=np.uint32)),
        ("columns", np.zeros(4, dtype=np.float64)),
        ("indptr", np.array([0, 2**63], dtype=np.uint64)),
        ("indptr", np.array([5, 1, 0], dtype=np.uint64)),
        ("indptr", np.zeros(0, dtype=np.uint64)),
        ("values", np.ones(3, dtype=np.float32)),
        ("coefficients", np.ones(1000)),
        ("unknown", np.ones(1)),
    ],
)
def test_basis_vectors_that_do_not_fit(small_rankers, target, name, array):
    with pytest.raises(ModelFileError, match="expected"):
        ParseRanker.load(rewritten(small_rankers["gaussian"], target, **{name: array_bytes(array)}))


def test_words_that_no_file_can_hold_survive(tmp_path):
    """A lone surrogate, as broken software makes it, in a vocabulary."""
    extractor = Extractor(kernel="path", learner="rls", regparam=1.0).fit(corpora.load("sample")[:6])
    part = extractor._map.maps_[0][1]
    renamed = {f"{name}\ud800": column for name, column in part.vocabulary_.items()}
    part.vocabulary_ = renamed
    extractor.save(tmp_path / "model.zip")
    assert Extractor.load(tmp_path / "model.zip")._map.maps_[0][1].vocabulary_ == renamed


def test_what_packs_too_well_is_written_so_that_it_can_be_read(tmp_path):
    """Hashed features of a small corpus are nearly all zeros."""
    extractor = Extractor(kernel="all-paths", learner="rls", regparam=1.0, n_features=2**20)
    extractor.fit(corpora.load("sample")[:6]).save(tmp_path / "model.zip")
    with zipfile.ZipFile(tmp_path / "model.zip") as archive:
        assert archive.getinfo("weights.npy").compress_type == zipfile.ZIP_STORED
    assert np.array_equal(Extractor.load(tmp_path / "model.zip").weights_, extractor.weights_)
