"""Measures of predictions: rankings (:mod:`learners.metrics.ranking`)."""
