"""The language pipeline that ships with the project, and how it was trained."""

from ppi.pipeline.loading import DEFAULT_GUIDELINE, DEFAULT_PARSER, MODEL_DIRECTORY, load

__all__ = ["DEFAULT_GUIDELINE", "DEFAULT_PARSER", "MODEL_DIRECTORY", "load"]
