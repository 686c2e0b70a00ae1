"""One module a file format; :mod:`corpora.registry` knows them all.

A module offers ``read(source, losses)``, which yields documents, and, where the format is written,
``write(documents, output, losses)``.
"""
