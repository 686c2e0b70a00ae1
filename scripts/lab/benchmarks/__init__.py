"""Speed figures: each compares with the plain definition or a named library in one run.

A module here offers ``run(scale=1.0)``, which yields :class:`lab.benchmarks.figure.Figure` rows;
``scripts/bench NAME`` prints them.  ``scale`` below 1 shrinks the problems, for the test suite.
"""
