"""The papers' experiments, one module each, and the page that shows ours beside theirs.

``scripts/reproduce NAME...`` runs experiments and keeps their results as JSON; ``scripts/reproduce page`` turns the
JSON into docs/RESULTS.md and its figures.  A module offers one :class:`~lab.frame.experiment.Experiment`,
named in :mod:`lab.papers.registry`.
"""
