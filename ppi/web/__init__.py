"""The web page and the JSON API beside it (extra ``web``)."""

from ppi.web.app import create_app
from ppi.web.limits import Limits

__all__ = ["Limits", "create_app"]
