"""The language pipeline that ships with the project, and how it was trained."""

from ppi.pipeline.loading import MODEL_DIRECTORY, load

__all__ = ["MODEL_DIRECTORY", "load"]
