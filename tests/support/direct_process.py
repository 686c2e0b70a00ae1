"""In the place of a supervised process: the same work in its owner's thread, for tests in which nobody is killed."""

from ppi.core import LoadingError


class DirectProcess:
    """Loads and answers as :class:`ppi.core.supervised_process.SupervisedProcess` does, without a process."""

    def __init__(self, load, **options):
        self._load = load
        self._answers = None
        self._closed = False
        self.pid = None

    @property
    def ready(self):
        return self._answers is not None

    def start(self):
        if self._closed:
            raise LoadingError("expected a process in use, got one that was closed")

    def wait_until_ready(self):
        self._answers = self._answers or self._load()

    def stream(self, request, *, seconds):
        yield from self._answers(request)

    def close(self):
        self._closed = True
