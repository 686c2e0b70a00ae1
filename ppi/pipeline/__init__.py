"""The language pipeline that ships with the project, and how it was trained."""

from ppi.pipeline.loading import FOR_INTERACTIONS, GUIDELINE, MODEL_DIRECTORY, load

__all__ = ["FOR_INTERACTIONS", "GUIDELINE", "MODEL_DIRECTORY", "load"]
