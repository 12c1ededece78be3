"""Where the programs of these tests run."""

from __future__ import annotations

import pytest

from pymeta_lsp.judge import Place, SandboxError


@pytest.fixture(scope="session")
def place() -> Place:
    try:
        return Place.here()
    except SandboxError as error:
        pytest.skip(f"no sandbox here: {error}")
