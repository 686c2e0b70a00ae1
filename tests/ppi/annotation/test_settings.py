"""The options of an annotator, which stand in one place."""

import inspect
from dataclasses import fields

from ppi.annotation.annotator import Annotator
from ppi.annotation.in_spacy.component import InteractionFinder
from ppi.annotation.settings import AnnotatorOptions, AnnotatorSettings


def test_options_are_those_of_the_annotator_and_by_name_only():
    parameters = inspect.signature(Annotator).parameters.values()
    assert {each.name for each in parameters} == {*(option.name for option in fields(AnnotatorOptions)), "share"}
    assert {each.kind for each in parameters} == {inspect.Parameter.KEYWORD_ONLY}


def test_the_component_has_the_same_defaults():
    defaults = {option.name: option.default for option in fields(AnnotatorOptions)}
    own = {each.name: each.default for each in inspect.signature(InteractionFinder).parameters.values()}
    assert {name: own[name] for name in own.keys() & defaults} == {
        name: defaults[name] for name in own.keys() & defaults
    }
    assert len(own.keys() & defaults) == len(defaults) - 4


def test_settings_make_the_annotator_that_they_describe():
    settings = AnnotatorSettings(
        min_probability=0.25, types=("binding",), prevalence=0.1, grounding=False, keep_same=True
    )
    annotator = settings.build()
    for name in ("min_probability", "types", "prevalence", "grounding", "keep_same", "kinds", "parser"):
        assert getattr(annotator, name) == getattr(settings, name)


def test_manifests_hold_the_settings_under_their_first_names():
    assert list(AnnotatorSettings(prevalence=0.1).to_json().items()) == [
        ("model", None),
        ("parser", "shipped"),
        ("min_probability", 0.5),
        ("lexicon", None),
        ("families", None),
        ("types", None),
        ("include_negated", False),
        ("include_hedged", False),
        ("share", 0.1),
        ("kinds", ["protein"]),
        ("grounding", True),
        ("keep_same", False),
    ]
