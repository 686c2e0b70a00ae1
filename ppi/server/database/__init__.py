"""A run as a database: its interactions searched by protein, partner, type, probability, papers, year and words.

:func:`open_run` opens the folder of a long run (also while it goes on), a Parquet file or JSON lines.  An index is made
beside them once, and made longer when parts are added; DuckDB (the extra ``database``) answers from it within a fixed
amount of memory.
"""
