"""Curation behind its routes: rows are looked up and judgements kept, in threads of their own.

Keeping a judgement waits for the disk, and looking up a row for the database: that is done beside the server's thread.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, TypeVar

from ppi.core import CurationError, CurationFileError, NotInRunError, PpiError
from ppi.server.curation.consensus import KeptJudgement
from ppi.server.curation.judgement import Judgement, RowKey, row_key
from ppi.server.curation.judgement_export import JUDGEMENT_FORMATS, dumps
from ppi.server.curation.store import Curation
from ppi.server.curation.summaries import status_json
from ppi.server.database.opening import OpenRun
from ppi.server.database.result_types import FoundSentence
from ppi.server.web.database_answers import PAGE_ENTRIES, page_json
from ppi.server.web.feedback_process import FeedbackProcess, FeedbackTask
from ppi.server.web.limits import LimitedThreads, Limits
from ppi.server.web.problems import HTTPProblem

CURATION_THREADS = 4
#: Sentences among which those to judge next are chosen: as many as can be read in a few seconds.
POOL_SENTENCES = 120
#: Bytes of randomness in a token.
TOKEN_BYTES = 24
T = TypeVar("T")


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class CurationService:
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
        learner: FeedbackProcess | None = None,
    ) -> None:
        self.run, self.curation = run, curation
        self._learner = learner
        self._token = token
        self._threads = LimitedThreads(CURATION_THREADS, max_waiting=limits.requests, name="ppi-curation")

    def check_token(self, token: str | None) -> None:
        """Refuse whoever does not show the token; how much of it is right takes no time to say."""
        if self._token is None:
            return
        if token is None or not secrets.compare_digest(token.encode(), self._token.encode()):
            raise HTTPProblem(
                403,
                "token",
                f"expected in the header X-Curation-Token the token that the server showed when it was started, got "
                f"{'none' if token is None else 'another'}",
            )

    async def submit(self, work: Callable[[], T]) -> T:
        """Do the work in a thread of its own.

        Raises
        ------
        HTTPProblem
            ``busy`` when too many wait; what is wrong with the request, or with the file.
        """
        try:
            return await self._threads.run(work)
        except NotInRunError as error:
            raise HTTPProblem(404, "not-in-run", str(error)) from None
        except CurationFileError as error:
            raise HTTPProblem(500, "not-kept", str(error)) from None
        except PpiError as error:
            raise HTTPProblem(422, "cannot-judge", str(error)) from None

    def close(self) -> None:
        """Finish what was started: a judgement that is on its way is kept."""
        self._threads.close(wait=True)
        if self._learner is not None:
            self._learner.close()

    def status(self) -> dict[str, Any]:
        """What was judged until now."""
        self.curation.refresh()
        status = status_json(self.curation)
        names = ("rows", "verdicts", "curators", "divided", "torn_lines")
        formats = [
            {"name": output_format.name, "description": output_format.description, "ending": output_format.suffix}
            for output_format in JUDGEMENT_FORMATS.values()
        ]
        capabilities = {"needs_token": self._token is not None, "learns": self._learner is not None}
        return {**{name: status[name] for name in names}, **capabilities, "formats": formats}

    def judge(self, request: dict[str, Any]) -> dict[str, Any]:
        """Keep a judgement of a row of the run."""
        sentence = self.row(request)
        fields = {name: request[name] for name in ("curator", "comment", "type", "mention")}
        id = self.curation.judge(sentence.interaction, request["verdict"], pubmed=sentence.pubmed, **fields)
        return self._answer_judged(id)

    def undo(self, request: dict[str, Any]) -> dict[str, Any]:
        """Take back a judgement; the curator's last one, if none is named."""
        self.curation.refresh()
        curator, id = request["curator"].strip(), request["judgement"]
        if id is None:
            latest = self.curation.state.latest(curator)
            if latest is None:
                raise HTTPProblem(409, "nothing-to-undo", f"expected a judgement of {curator!r}, got none that holds")
            id = latest.id
        try:
            self.curation.undo(id, curator=curator)
        except CurationFileError:
            raise
        except CurationError as error:
            raise HTTPProblem(409, "nothing-to-undo", str(error)) from None
        return self._answer_judged(id)

    def states(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """What holds of each row."""
        self.curation.refresh()
        return [
            {"document": row["document"], "pair": row["pair"], "judgements": self._row_json(_request_row(row))}
            for row in rows
        ]

    def judgements(self, curator: str | None, page: int) -> dict[str, Any]:
        """A page of what was judged, the latest first."""
        self.curation.refresh()
        judgements = self.curation.state.latest_first(curator)
        listed = judgements[(page - 1) * PAGE_ENTRIES : page * PAGE_ENTRIES]
        return {**page_json(len(judgements), page), "judgements": [judgement_json(kept) for kept in listed]}

    def export(self, format: str, curator: str | None) -> bytes:
        """The settled judgements as a file."""
        self.curation.refresh()
        return dumps(self.curation.state.resolve(curator)[0], format, warn=False)

    async def rank(self, rows: list[dict[str, Any]]) -> dict[str, Any]:
        """The rows in the order of the model with feedback, with what changed, and whether the feedback helps."""
        sentences = await self.submit(lambda: self._current_rows(rows))
        judgements = await self.submit(self._all_judgements)
        update = await self._require_learner.run(
            FeedbackTask(judgements, [sentence.interaction for sentence in sentences])
        )
        return ranking_json(sentences, update, len(judgements))

    async def next_rows(self, strategy: str, count: int, protein: str | None) -> list[FoundSentence]:
        """What to judge next, of the run or of what is said of a protein."""
        judgements = await self.submit(self._all_judgements)
        pool = await self.submit(lambda: self._select_pool(strategy, judgements, protein))
        if not pool:
            return []
        places = await self._require_learner.run(
            FeedbackTask(judgements, [sentence.interaction for sentence in pool], strategy, count)
        )
        return [pool[place] for place in places]

    @property
    def _require_learner(self) -> FeedbackProcess:
        if self._learner is None:
            raise HTTPProblem(422, "cannot-learn", "expected a server with a model that learns, got one without")
        return self._learner

    def _all_judgements(self) -> list[Judgement]:
        self.curation.refresh()
        return [kept.judgement for kept in self.curation.state]

    def _select_pool(self, strategy: str, judgements: list[Judgement], protein: str | None) -> list[FoundSentence]:
        """Sentences to choose from: the most probable, or the least certain; half of each for what changes most."""
        result = self.run.search(protein)
        exclude = list(dict.fromkeys(judgement.row[:2] for judgement in judgements))
        orders = {"top": ("probability",), "uncertain": ("uncertain",)}.get(strategy, ("probability", "uncertain"))
        pool = [
            sentence
            for order in orders
            for sentence in result.sentences_without(exclude, limit=POOL_SENTENCES // len(orders), order=order)
        ]
        return list({row_key(sentence.interaction): sentence for sentence in pool}.values())

    def _current_rows(self, rows: list[dict[str, Any]]) -> list[FoundSentence]:
        """The rows of a page that the run still has as they were shown."""
        sentences = self.run.sentences([(row["document"], row["pair"]) for row in rows])
        return [
            sentence
            for sentence, row in zip(sentences, rows)
            if sentence is not None and row_key(sentence.interaction) == _request_row(row)
        ]

    def row(self, request: dict[str, Any]) -> FoundSentence:
        """The row of the run, if it is the one that was shown.

        Raises
        ------
        HTTPProblem
            If the run has another sentence under these ids now.
        """
        sentence = self.run.sentence(request["document"], request["pair"])
        if row_key(sentence.interaction) != _request_row(request):
            raise HTTPProblem(
                409, "changed", "expected the sentence that was shown, got another one; load the page again"
            )
        return sentence

    def _answer_judged(self, id: str) -> dict[str, Any]:
        judgement = self.curation.events[id]
        assert isinstance(judgement, Judgement)  # what was kept or taken back just now
        state = self.curation.state
        content = judgement_json(KeptJudgement(id, judgement))
        return {"judgement": content, "row": self._row_json(judgement.row), "judged": len(state.rows)}

    def _row_json(self, row: RowKey) -> list[dict[str, Any]]:
        return [judgement_json(kept) for kept in self.curation.state.of(row).values()]


def ranking_json(sentences: list[FoundSentence], update: dict[str, Any], judged: int) -> dict[str, Any]:
    """The rows in their new order; of rows that the model cannot read, the run's probability holds."""
    rows = []
    for sentence, before, after in zip(sentences, update["before"], update["after"]):
        run = {"probability": sentence.interaction.probability, "type": sentence.interaction.type}
        state = {"before": before or run, "after": after or run, "read": after is not None}
        rows.append({**row_key(sentence.interaction)._asdict(), **state})
    for name in ("before", "after"):
        ordered = sorted(rows, key=lambda row: -row[name]["probability"])
        for place, row in enumerate(ordered, start=1):
            row[name] = {**row[name], "place": place}
    estimates = list((update["feedback"] or {}).get("estimates", ()))
    rows.sort(key=lambda row: row["after"]["place"])
    return {"judged": judged, "left_out": update["left_out"], "rows": rows, "estimates": estimates}


def judgement_json(kept: KeptJudgement) -> dict[str, Any]:
    """A judgement as pages get it."""
    judgement = kept.judgement
    names = ("verdict", "curator", "time", "comment", "type", "mention")
    return {
        "id": kept.id,
        **judgement.row._asdict(),
        **{name: getattr(judgement, name) for name in names},
        "names": list(judgement.interaction.names),
        "sentence": judgement.interaction.sentence,
    }


def _request_row(request: dict[str, Any]) -> RowKey:
    return RowKey(request["document"], request["pair"], request["words"])
