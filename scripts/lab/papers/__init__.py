"""The papers' experiments, one module each, and the pages that show ours beside theirs.

``scripts/reproduce NAME...`` runs experiments and keeps their results as JSON; ``scripts/reproduce page`` turns the
JSON into docs/reproduction.md, docs/paper5.md, docs/parse_ranking.md and their figures.  A module offers one
:class:`~lab.frame.experiment.Experiment`, named in :mod:`lab.papers.registry`.
"""
