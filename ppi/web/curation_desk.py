"""What the curation routes ask: rows looked up, judgements kept, in threads of their own.

Keeping a judgement waits for the disk, and looking up a row for the database: that is done beside the server's thread.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from ppi.curation.exporting import FORMATS, dumps, format_named
from ppi.curation.judgement import Judgement, Row, row_of
from ppi.curation.reporting import status_json
from ppi.curation.state import Kept
from ppi.curation.store import Curation
from ppi.database.run import OpenRun
from ppi.database.types import FoundSentence
from ppi.errors import CurationError, CurationFileError, NotInRunError, PpiError
from ppi.web.curation_learner import Learner, Task
from ppi.web.limits import Limits
from ppi.web.problems import Refusal, busy

THREADS = 4
#: Judgements of a page of the list of them.
PAGE_ENTRIES = 50
#: Sentences among which those to judge next are chosen: as many as can be read in a few seconds.
POOL = 120
#: Bytes of randomness in a token.
TOKEN_BYTES = 24
T = TypeVar("T")


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class Desk:
    """Where a run is judged.

    Parameters
    ----------
    run
        What is judged.
    curation
        Where judgements are kept.
    limits
        How many requests may wait.
    token
        What everybody must show who judges; None asks for nothing.
    learner
        What learns from judgements; None: nobody does.
    """

    def __init__(
        self,
        run: OpenRun,
        curation: Curation,
        limits: Limits,
        *,
        token: str | None = None,
        learner: Learner | None = None,
    ) -> None:
        self.run, self.curation = run, curation
        self._learner = learner
        self._limits, self._token = limits, token
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="ppi-curation")
        self._waiting = 0

    @property
    def needs_token(self) -> bool:
        """Whether a token has to be shown."""
        return self._token is not None

    def check_token(self, shown: str | None) -> None:
        """Refuse whoever does not show the token; how much of it is right takes no time to say."""
        if self._token is None:
            return
        if shown is None or not secrets.compare_digest(shown.encode(), self._token.encode()):
            raise Refusal(
                403,
                "token",
                f"expected in the header X-Curation-Token the token that the server showed when it was started, got "
                f"{'none' if shown is None else 'another'}",
            )

    async def ask(self, work: Callable[[], T]) -> T:
        """Do the work in the desk's thread.

        Raises
        ------
        Refusal
            ``busy`` when too many wait; what is wrong with the request, or with the file.
        """
        if self._waiting >= self._limits.requests:
            raise busy()
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        except NotInRunError as error:
            raise Refusal(404, "not-in-run", str(error)) from None
        except CurationFileError as error:
            raise Refusal(500, "not-kept", str(error)) from None
        except PpiError as error:
            raise Refusal(422, "cannot-judge", str(error)) from None
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Finish what was begun: a judgement that is on its way is kept."""
        self._threads.shutdown(wait=True)
        if self._learner is not None:
            self._learner.close()

    def status(self) -> dict[str, Any]:
        """What was judged until now."""
        self.curation.refresh()
        status = status_json(self.curation)
        names = ("rows", "verdicts", "curators", "divided", "torn_lines")
        formats = [
            {"name": each.name, "description": each.description, "ending": each.suffix} for each in FORMATS.values()
        ]
        return {**{name: status[name] for name in names}, **self._about, "formats": formats}

    @property
    def _about(self) -> dict[str, bool]:
        return {"needs_token": self.needs_token, "learns": self._learner is not None}

    def judge(self, request: dict[str, Any]) -> dict[str, Any]:
        """Keep a judgement of a row of the run."""
        found = self.row(request)
        given = {name: request[name] for name in ("curator", "comment", "type", "mention")}
        id = self.curation.judge(found.interaction, request["verdict"], pubmed=found.pubmed, **given)
        return self._judged(id)

    def undo(self, request: dict[str, Any]) -> dict[str, Any]:
        """Take back a judgement; the curator's last one, if none is named."""
        self.curation.refresh()
        curator, id = request["curator"].strip(), request["judgement"]
        if id is None:
            latest = self.curation.state.latest(curator)
            if latest is None:
                raise Refusal(409, "nothing-to-undo", f"expected a judgement of {curator!r}, got none that holds")
            id = latest.id
        try:
            self.curation.undo(id, curator=curator)
        except CurationFileError:
            raise
        except CurationError as error:
            raise Refusal(409, "nothing-to-undo", str(error)) from None
        return self._judged(id)

    def states(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """What holds of each row."""
        self.curation.refresh()
        return [{"document": row["document"], "pair": row["pair"], "judgements": self._of(_row(row))} for row in rows]

    def judgements(self, curator: str | None, page: int) -> dict[str, Any]:
        """A page of what was judged, the latest first."""
        self.curation.refresh()
        found = self.curation.state.judged(curator)
        start = (page - 1) * PAGE_ENTRIES
        return {
            "count": len(found),
            "page": page,
            "pages": max(1, -(-len(found) // PAGE_ENTRIES)),
            "judgements": [kept_json(kept) for kept in found[start : start + PAGE_ENTRIES]],
        }

    def export(self, format: str, curator: str | None) -> bytes:
        """The settled judgements as a file."""
        format_named(format)
        self.curation.refresh()
        return dumps(self.curation.state.settled(curator)[0], format, warn=False)

    async def rank(self, rows: list[dict[str, Any]]) -> dict[str, Any]:
        """The rows in the order of the model with feedback, with what changed, and whether the feedback helps."""
        shown = await self.ask(lambda: self._shown(rows))
        judged = await self.ask(self._all_judged)
        learned = await self._learning.run(Task(judged, [found.interaction for found in shown]))
        return ranked_json(shown, learned, len(judged))

    async def next_rows(self, way: str, count: int, protein: str | None) -> list[FoundSentence]:
        """What to judge next, of the run or of what is said of a protein."""
        judged = await self.ask(self._all_judged)
        pool = await self.ask(lambda: self._pool(way, judged, protein))
        if not pool:
            return []
        places = await self._learning.run(Task(judged, [found.interaction for found in pool], way, count))
        return [pool[place] for place in places]

    @property
    def _learning(self) -> Learner:
        if self._learner is None:
            raise Refusal(422, "cannot-learn", "expected a server with a model that learns, got one without")
        return self._learner

    def _all_judged(self) -> list[Judgement]:
        self.curation.refresh()
        return [kept.judgement for kept in self.curation.state]

    def _pool(self, way: str, judged: list[Judgement], protein: str | None) -> list[FoundSentence]:
        """Sentences to choose from: the most probable, or the least certain; half of each for what changes most."""
        found = self.run.search(protein)
        known = list(dict.fromkeys(each.row[:2] for each in judged))
        orders = {"top": ("probability",), "uncertain": ("uncertain",)}.get(way, ("probability", "uncertain"))
        pool = [
            each for order in orders for each in found.sentences_without(known, limit=POOL // len(orders), order=order)
        ]
        return list({row_of(each.interaction): each for each in pool}.values())

    def _shown(self, rows: list[dict[str, Any]]) -> list[FoundSentence]:
        """The rows of a page that the run still has as they were shown."""
        found = self.run.sentences([(row["document"], row["pair"]) for row in rows])
        return [each for each, row in zip(found, rows) if each is not None and row_of(each.interaction) == _row(row)]

    def row(self, request: dict[str, Any]) -> FoundSentence:
        """The row of the run, if it is the one that was shown.

        Raises
        ------
        Refusal
            If the run has another sentence under these ids now.
        """
        found = self.run.sentence(request["document"], request["pair"])
        if row_of(found.interaction) != _row(request):
            raise Refusal(409, "changed", "expected the sentence that was shown, got another one; load the page again")
        return found

    def _judged(self, id: str) -> dict[str, Any]:
        judgement = self.curation.events[id]
        assert isinstance(judgement, Judgement)  # what was kept or taken back just now
        state = self.curation.state
        told = kept_json(Kept(id, judgement))
        return {"judgement": told, "row": self._of(judgement.row), "judged": len(state.rows)}

    def _of(self, row: Row) -> list[dict[str, Any]]:
        return [kept_json(kept) for kept in self.curation.state.of(row).values()]


def ranked_json(shown: list[FoundSentence], learned: dict[str, Any], judged: int) -> dict[str, Any]:
    """The rows in their new order; of rows that the model cannot read, the run's probability holds."""
    rows = []
    for found, before, after in zip(shown, learned["before"], learned["after"]):
        run = {"probability": found.interaction.probability, "type": found.interaction.type}
        rows.append(
            {
                **row_of(found.interaction)._asdict(),
                "before": before or run,
                "after": after or run,
                "read": after is not None,
            }
        )
    for name in ("before", "after"):
        ordered = sorted(rows, key=lambda row: -row[name]["probability"])
        for place, row in enumerate(ordered, start=1):
            row[name] = {**row[name], "place": place}
    feedback = learned["feedback"] or {}
    return {
        "judged": judged,
        "left_out": learned["left_out"],
        "rows": sorted(rows, key=lambda row: row["after"]["place"]),
        "estimates": list(feedback.get("estimates", ())),
    }


def kept_json(kept: Kept) -> dict[str, Any]:
    """A judgement as pages are told of it."""
    judgement = kept.judgement
    names = ("verdict", "curator", "time", "comment", "type", "mention")
    return {
        "id": kept.id,
        **judgement.row._asdict(),
        **{name: getattr(judgement, name) for name in names},
        "names": list(judgement.interaction.names),
        "sentence": judgement.interaction.sentence,
    }


def _row(request: dict[str, Any]) -> Row:
    return Row(request["document"], request["pair"], request["words"])
