"""What a worker process of the server loads, and how it answers one request.

Workers are processes (:mod:`ppi.parallel.supervised`) so that a request that takes too long, or brings the parser down,
can be ended without harm to the others, and so that annotating does not hold up the server's answers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from corpora.errors import CorpusError
from ppi.annotation.settings import warm_up
from ppi.errors import PpiError
from ppi.parallel.supervised import RequestHandler
from ppi.web.limits import Limits
from ppi.web.problems import HTTPProblem, error_location


class JobRequest(NamedTuple):
    """A job of :mod:`ppi.web.jobs` and what it is to be done with."""

    job: str
    content: dict[str, Any]


@dataclass(frozen=True)
class JobFailure:
    """Something that should not happen; ``place`` is for the log and holds no word of the request."""

    place: str


def load(make_annotator: Callable[[], Any], limits: Limits) -> RequestHandler:
    """Make an annotator; what is returned does one job per request."""
    from ppi.web import jobs

    annotator = make_annotator()
    warm_up(annotator, explain=True)

    def answer(request: JobRequest) -> list[bytes | HTTPProblem | JobFailure]:
        return [_answer_or_problem(lambda: jobs.run(annotator, request.job, request.content, limits))]

    return answer


def _answer_or_problem(work: Callable[[], bytes]) -> bytes | HTTPProblem | JobFailure:
    try:
        return work()
    except HTTPProblem as problem:
        return problem
    except MemoryError:
        return HTTPProblem(
            413, "too-large", "expected text that can be annotated in the memory there is; send less of it"
        )
    except (CorpusError, PpiError) as error:  # about the input, with a text made for people
        return HTTPProblem(422, "cannot-read", str(error))
    except Exception as error:  # whatever a parser may raise must not end the worker
        return JobFailure(error_location(error))
