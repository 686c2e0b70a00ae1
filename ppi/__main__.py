"""``python -m ppi``: the command line, for where the script ``ppi`` is not on the path."""

import sys

from ppi.cli import main

if __name__ == "__main__":
    sys.exit(main())
