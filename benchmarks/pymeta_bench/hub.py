"""A data set on the Hugging Face hub, through its own client: fetched once, kept in its cache, and found there offline.

``hf://OWNER/NAME`` names the only data file of a data set, ``hf://OWNER/NAME/path/test.csv`` one of several, and
``hf://OWNER/NAME@REVISION/…`` one of a version that does not change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from glob import escape
from pathlib import Path
from types import ModuleType
from typing import Final, TypeVar

from .rows import SUFFIXES, DataError

T = TypeVar("T")

SCHEME: Final = "hf://"
_PATTERNS: Final = tuple(f"*{suffix}" for suffix in SUFFIXES)
_ADDRESS: Final = re.compile(r"hf://([^/@\s]+/[^/@\s]+)(?:@([^/\s]+))?(?:/(.+))?")


class NotReachedError(DataError):
    """Neither the hub nor its cache has it."""


def fetch(address: str) -> Path:
    """The file that ``address`` names, on this machine; no other file of the data set is fetched, which may have gigabytes.

    Raises :class:`DataError` where there is no such data set or file, it needs a login, or neither the hub can be reached
    nor the cache has it; the message says which, and what to do.
    """
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise DataError(
            f"{address}: expected hf://OWNER/NAME or hf://OWNER/NAME/FILE, with @REVISION after NAME if wished"
        )
    name, revision, wanted = match.groups()
    files = [wanted] if wanted else _names(address, name, revision)
    if len(files) == 1:
        folder = _snapshot(address, name, revision, [escape(files[0])])
        if files[0] in data_files(folder):
            return folder / files[0]
        files = _names(address, name, revision)
    listed = ", ".join(files) or "none"
    asked = (
        "it has several data files; name one" if wanted is None and files else f"no data file {wanted or ''}".rstrip()
    )
    raise DataError(f"{address}: {asked}, as in hf://{name}/FILE. Its data files: {listed}")


def fetch_all(address: str) -> Path:
    """The folder of a whole data set, ``hf://OWNER/NAME`` with ``@REVISION`` if wished; raises as :func:`fetch` does."""
    match = _ADDRESS.fullmatch(address)
    if match is None or match[3] is not None:
        raise DataError(f"{address}: expected hf://OWNER/NAME, with @REVISION after NAME if wished")
    return _snapshot(address, match[1], match[2])


def data_files(folder: Path) -> list[str]:
    """Every data file in ``folder`` and below, by its path from there."""
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() and _is_data(path.name)
    )


def _is_data(file: str) -> bool:
    name = file.rpartition("/")[2]
    return name.lower().endswith(SUFFIXES) and not name.startswith(".")


def _snapshot(address: str, name: str, revision: str | None, patterns: Sequence[str] = _PATTERNS) -> Path:
    """Those of its files that fit one of ``patterns``."""

    def ask(hub: ModuleType) -> Path:
        return Path(hub.snapshot_download(name, repo_type="dataset", revision=revision, allow_patterns=list(patterns)))

    return _asked(address, revision, ask)


def _names(address: str, name: str, revision: str | None) -> list[str]:
    """The data files of the data set: as the hub lists them or, where it cannot be reached, those in the cache."""

    def ask(hub: ModuleType) -> list[str]:
        try:
            files = (
                hub.HfApi().dataset_info(name, revision=revision).siblings
            )  # asked once; listing a tree is retried for long
            return [file.rfilename for file in files or ()]
        except hub.errors.HfHubHTTPError:
            raise
        except Exception as error:  # of whichever HTTP library the client uses: it was not reached
            raise OSError(str(error)) from error

    try:
        listed = _asked(address, revision, ask)
    except NotReachedError:
        return data_files(_snapshot(address, name, revision))
    return sorted(file for file in listed if _is_data(file))


def _asked(address: str, revision: str | None, ask: Callable[[ModuleType], T]) -> T:
    try:
        import huggingface_hub
        from huggingface_hub.errors import (
            GatedRepoError,
            HfHubHTTPError,
            LocalEntryNotFoundError,
            RepositoryNotFoundError,
            RevisionNotFoundError,
        )
    except ImportError:
        raise DataError(f"{address}: reading from the hub needs its client: pip install 'pymeta-lsp[bench]'") from None
    try:
        return ask(huggingface_hub)
    except GatedRepoError as error:
        raise DataError(
            f"{address}: its owners ask you to agree to their terms on the hub, and to log in: hf auth login"
        ) from error
    except RepositoryNotFoundError as error:
        raise DataError(f"{address}: the hub has no such data set, or it is private: hf auth login") from error
    except RevisionNotFoundError as error:
        raise DataError(f"{address}: the data set has no revision {revision!r}") from error
    except (OSError, ValueError) as error:
        # Not in the cache either: of older clients a kind of HTTP error, of newer ones none.
        if isinstance(error, HfHubHTTPError) and not isinstance(error, LocalEntryNotFoundError):
            raise DataError(f"{address}: the hub answered: {error}") from error
        raise NotReachedError(
            f"{address}: the hub cannot be reached and the data set is not in its cache. With a network the first call keeps it "
            "for later ones; or download the file elsewhere and name it here, as --data test.csv"
        ) from error
