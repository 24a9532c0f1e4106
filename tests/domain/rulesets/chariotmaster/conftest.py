"""The marker by which tests name the rules they are about."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(*ids): the rules of the checklist that the test is about")
