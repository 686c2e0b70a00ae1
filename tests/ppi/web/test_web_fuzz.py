"""The API against its own description: whatever is sent, no error that is not in it."""

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

EXAMPLES = 30


@pytest.fixture(scope="session")
def api(address):
    return schemathesis.openapi.from_url(f"{address}/openapi.json")


schema = schemathesis.pytest.from_fixture("api")


@schema.parametrize()
@hypothesis.settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_answers_are_as_described(case):
    answer = case.call()
    checks = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
    case.validate_response(answer, checks=checks)
