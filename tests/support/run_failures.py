"""What a long run listed as left out."""

import json


def run_failures(folder):
    """All failures, in the order of parts and records."""
    return [json.loads(line) for path in sorted((folder / "errors").glob("*.jsonl")) for line in path.open()]
