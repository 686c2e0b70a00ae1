"""The page names species as the rest of the package does."""

import json
import re
from importlib.resources import files

from ppi.grounding import SPECIES_NAMES


def test_the_species_of_the_page_are_those_of_the_package():
    script = files("ppi.network").joinpath("explorer/identity.js").read_text()
    listed = json.loads(re.search(r"LATIN = (\{.*?),\s*\}", script, re.DOTALL)[1] + "}")
    assert len(listed) == 8
    assert listed == {taxid: SPECIES_NAMES[taxid][1] for taxid in listed}
