"""One server with the fake annotator for all tests of a process."""

import httpx
import pytest
from waiting import WAIT_SECONDS
from web_annotator import WebAnnotator
from web_browser import chromium, open_page
from web_server import serving


@pytest.fixture(scope="session")
def address():
    with serving(WebAnnotator) as address:
        yield address


@pytest.fixture(scope="session")
def client(address):
    with httpx.Client(base_url=address, timeout=WAIT_SECONDS) as client:
        yield client


@pytest.fixture(scope="module")  # while it is open, asyncio.run is not possible in this thread
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture
def page(browser, address):
    with open_page(browser, address) as page:
        yield page
