"""A data set on the Hugging Face hub, through its own client: fetched once, kept in its cache, and found there offline.

``hf://OWNER/NAME`` names the only data file of a data set, ``hf://OWNER/NAME/path/test.csv`` one of several, and
``hf://OWNER/NAME@REVISION/…`` one of a version that does not change.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from .rows import SUFFIXES, DataError

SCHEME: Final = "hf://"
_ADDRESS: Final = re.compile(r"hf://([^/@\s]+/[^/@\s]+)(?:@([^/\s]+))?(?:/(.+))?")


def fetch(address: str) -> Path:
    """The file that ``address`` names, on this machine.

    Raises :class:`DataError` where there is no such data set or file, it needs a login, or neither the hub can be reached
    nor the cache has it; the message says which, and what to do.
    """
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise DataError(
            f"{address}: expected hf://OWNER/NAME or hf://OWNER/NAME/FILE, with @REVISION after NAME if wished"
        )
    name, revision, wanted = match.groups()
    folder = _snapshot(address, name, revision)
    files = data_files(folder)
    if wanted is None and len(files) == 1:
        return folder / files[0]
    if wanted in files:
        return folder / wanted
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
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and path.name.lower().endswith(SUFFIXES) and not path.name.startswith(".")
    )


def _snapshot(address: str, name: str, revision: str | None) -> Path:
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import (
            GatedRepoError,
            HfHubHTTPError,
            RepositoryNotFoundError,
            RevisionNotFoundError,
        )
    except ImportError:
        raise DataError(f"{address}: reading from the hub needs its client: pip install 'pymeta-lsp[bench]'") from None
    patterns = [f"*{suffix}" for suffix in SUFFIXES]
    try:
        return Path(snapshot_download(name, repo_type="dataset", revision=revision, allow_patterns=patterns))
    except GatedRepoError as error:
        raise DataError(
            f"{address}: its owners ask you to agree to their terms on the hub, and to log in: hf auth login"
        ) from error
    except RepositoryNotFoundError as error:
        raise DataError(f"{address}: the hub has no such data set, or it is private: hf auth login") from error
    except RevisionNotFoundError as error:
        raise DataError(f"{address}: the data set has no revision {revision!r}") from error
    except HfHubHTTPError as error:
        raise DataError(f"{address}: the hub answered: {error}") from error
    except (OSError, ValueError) as error:  # not reached, and nothing in the cache
        raise DataError(
            f"{address}: the hub cannot be reached and the data set is not in its cache. With a network the first call keeps it "
            "for later ones; or download the file elsewhere and name it here, as --data test.csv"
        ) from error
