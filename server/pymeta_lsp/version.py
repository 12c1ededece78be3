"""The version of this distribution."""

from __future__ import annotations


def version() -> str:
    """As installed; ``0+source`` when it runs from a checkout that was never installed."""
    from importlib import metadata

    try:
        return metadata.version("pymeta-lsp")
    except metadata.PackageNotFoundError:
        return "0+source"
