"""``pack check``: whether a pack can be handed out: its tests are passed by its own reference solutions."""

from __future__ import annotations

from pathlib import Path

from pymeta_lsp.judge.engine import Place
from pymeta_lsp.problems.pack import PackError, Problem, find, load
from pymeta_lsp.problems.samples import run_samples, worker_for


def check_pack(folder: Path, *, allow_weak: bool = False) -> int:
    """Say of each problem whether its reference passes; 0 where none fails. Raises :class:`PackError`, ``SandboxError``."""
    path = find(folder) if folder.is_dir() else None
    if path is None:
        raise PackError(f"{folder}: there is no pymeta.toml in this folder or above it: pymeta-lsp pack new makes one")
    pack = load(path)
    place = Place.here(allow_weak=allow_weak)
    print(f"{path}: problems: {len(pack.problems)}, tests: {sum(len(problem.tests) for problem in pack.problems)}")
    said = [_check(problem, place) for problem in pack.problems]
    failed, unknown = said.count(False), said.count(None)
    print(f"{said.count(True)} pass their own tests, {failed} fail, {unknown} have no reference solution here")
    return 1 if failed else 0


def _check(problem: Problem, place: Place) -> bool | None:
    """``None`` where there is no reference solution to ask."""
    if problem.reference is None:
        print(f"  ? {problem.id}: no reference solution; its tests were not tried")
        return None
    try:
        code = problem.reference.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        print(f"  ✗ {problem.id}: reference: there is no {problem.reference}")
        return False
    except UnicodeDecodeError as error:
        print(f"  ✗ {problem.id}: reference: {problem.reference} is not UTF-8 (byte {error.start})")
        return False
    except OSError as error:
        print(f"  ✗ {problem.id}: reference: {problem.reference}: {error.strerror or error}")
        return False
    worker = worker_for(problem, place)
    try:
        failed = [each for each in run_samples(problem, code, worker) if not each.passed]
    finally:
        worker.close()
    print(f"  {'✗' if failed else '✓'} {problem.id}: {problem.title}")
    for each in failed:
        print(f"      test {each.number}: {each.words('en')}")
    return not failed
