from lab.benchmarks import annotate


def test_both_sides_agree_on_a_little_text(monkeypatch):
    monkeypatch.delenv("PPI_CORPORA", raising=False)
    monkeypatch.setattr(annotate, "_REPEATS", 1)
    share, speed = annotate.run(scale=0.1)
    assert share.same_answer
    assert share.better == "lower"
    assert share.bar == 0.25
    assert speed.value > 0
