"""What learns in tests of the server: at once, and so that anybody can tell what it will say.

A row that was judged is as probable as it was judged; a row that shares a name with judged ones moves by a fifth for
each of them, up or down.
"""

from types import SimpleNamespace

from ppi.extraction import Feedback, HeldOutEstimate


def _names(row):
    return {row.sentence[start:end] for spans in (row.first, row.second) for start, end in spans}


class WebFeedbackModel:
    def learn(self, judged, rows=()):
        before = [SimpleNamespace(probability=_before(row), type="binding") for row in rows]
        after = [SimpleNamespace(probability=self._after(row, judged), type="binding") for row in rows]
        feedback = None
        if judged:
            right = sum(judgement.verdict == "right" for _, judgement in judged)
            numbers = (0.9, 0.5, 0.6, 0.55, 0.8, 0.75)
            estimate = HeldOutEstimate("interaction", len(judged), right, 1, 1.0, *numbers)
            feedback = Feedback(len(judged), len(judged), 1, 0, {}, (estimate,))
        return SimpleNamespace(before=before, predictions=after, feedback=feedback, left_out=0)

    def next_to_judge(self, strategy, judged, rows, count):
        done = {row for row, _ in judged}
        left = [row for row in rows if row not in done]
        return left[:count] if strategy != "change" else left[::-1][:count]

    def _after(self, row, judged):
        probability = _before(row)
        for other, judgement in judged:
            sign = 1 if judgement.verdict == "right" else -1
            if other == row:
                return 0.99 if sign > 0 else 0.01
            if _names(other) & _names(row):
                probability += 0.2 * sign
        return min(max(probability, 0.0), 1.0)


def _before(row):
    """The longer the sentence, the less probable."""
    return round(1.0 / (1.0 + len(row.sentence) / 40.0), 3)
