"""A program that serves a small run to be judged until it is killed; it prints its address."""

import sys
import threading

from curated import judged_server

if __name__ == "__main__":
    with judged_server(sys.argv[1]) as (address, _):
        print(address, flush=True)
        threading.Event().wait()
