"""A model that can be computed in the head."""

from __future__ import annotations

import numpy as np

from ppi.extraction import Calibration, Extractor


class WordModel(Extractor):
    """Scores 1 where the sentence says ``binds``, else -1; threshold 0; probabilities 0.88 and 0.12."""

    def __init__(self):
        super().__init__()
        self.outputs_, self.threshold_, self.facts_ = ("interaction",), 0.0, {"parser": "shipped", "corpora": {"X": {}}}
        self.weights_ = np.zeros(1)
        self.calibrations_ = {"interaction": Calibration("platt", (), (2.0, 0.0))}

    def score_outputs(self, graphs):
        return np.array([[1.0 if " binds " in graph.sentence.text else -1.0] for graph in graphs])
