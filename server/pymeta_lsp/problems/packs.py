"""The packs of a session, each read once and again when its file has changed."""

from __future__ import annotations

from pathlib import Path

from .pack import Pack, PackError, Problem, find, listed, load


class Packs:
    """Which problem a file answers, over any number of folders."""

    def __init__(self) -> None:
        self._loaded: dict[Path, tuple[tuple[int, int], Pack]] = {}

    def pack_of(self, path: Path) -> Pack | None:
        """The pack that holds for the file or folder ``path``; ``None`` where there is none. Raises :class:`PackError`."""
        file = find(path if path.is_dir() else path.parent)
        if file is None:
            return None
        try:
            status = file.stat()
        except OSError as error:
            raise PackError(f"{file}: {error.strerror or error}") from error
        stamp = (status.st_mtime_ns, status.st_size)
        if file not in self._loaded or self._loaded[file][0] != stamp:
            self._loaded[file] = (stamp, load(file))
        return self._loaded[file][1]

    def problem_of(self, path: Path, text: str, wanted: str | None = None) -> Problem | None:
        """The problem that the program ``text`` at ``path`` answers: ``wanted``, or the one that it chooses or matches.

        Raises :class:`PackError` for a pack that cannot be used, and for a problem that it has not.
        """
        pack = self.pack_of(path)
        if wanted is None:
            return pack.problem_of(path, text) if pack else None
        problem = pack.get(wanted) if pack else None
        if problem is None:
            known = f"{pack.path}: {listed(pack.problems)}" if pack else "there is no pymeta.toml here or above"
            raise PackError(f"no problem {wanted!r}: {known}")
        return problem
