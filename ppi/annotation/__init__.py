"""Raw text in, interactions with evidence out."""

from ppi.annotation.annotator import MODEL_FILE, Annotator
from ppi.annotation.pushes import Push
from ppi.annotation.types import AnnotatedDocument, Evidence, Interaction

__all__ = ["MODEL_FILE", "AnnotatedDocument", "Annotator", "Evidence", "Interaction", "Push"]
