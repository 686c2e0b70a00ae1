"""The command line: ``ppi VERB``.  Each verb is one module here, a thin wrapper of a library function."""

from ppi.cli.main import main

__all__ = ["main"]
