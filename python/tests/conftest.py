"""Folders of the repository that tests read."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def testdata() -> Path:
    return ROOT / "testdata"
