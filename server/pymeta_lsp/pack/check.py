"""``pack check``: whether a pack can be handed out: its tests are passed by its own reference solutions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pymeta_lsp.check.drawing import Utf8
from pymeta_lsp.judge.engine import Place
from pymeta_lsp.output import take_stdout
from pymeta_lsp.problems.pack import PackError, Problem, find, load
from pymeta_lsp.problems.samples import Workers, run_samples


def check_pack(folder: Path, *, allow_weak: bool = False) -> int:
    """Say of each problem whether its reference passes; 0 where none fails. Raises :class:`PackError`, ``SandboxError``."""
    path = find(folder) if folder.is_dir() else None
    if path is None:
        raise PackError(f"{folder}: there is no pymeta.toml in this folder or above it: pymeta-lsp pack new makes one")
    pack = load(path)
    place = Place.here(allow_weak=allow_weak)
    with take_stdout() as stream, Workers(place) as workers:
        out = Utf8(stream)

        def say(line: str) -> None:
            out.write(line + "\n")
            out.flush()  # so that somebody who waits sees that it goes on

        say(f"{path}: problems: {len(pack.problems)}, tests: {sum(len(problem.tests) for problem in pack.problems)}")
        said = [_check(problem, workers, say) for problem in pack.problems]
        failed, unknown = said.count(False), said.count(None)
        say(f"{said.count(True)} pass their own tests, {failed} fail, {unknown} have no reference solution here")
    return 1 if failed else 0


def _check(problem: Problem, workers: Workers, say: Callable[[str], None]) -> bool | None:
    """``None`` where there is no reference solution to ask."""
    if problem.reference is None:
        say(f"  ? {problem.id}: no reference solution; its tests were not tried")
        return None
    try:
        code = problem.reference.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        say(f"  ✗ {problem.id}: reference: there is no {problem.reference}")
        return False
    except UnicodeDecodeError as error:
        say(f"  ✗ {problem.id}: reference: {problem.reference} is not UTF-8 (byte {error.start})")
        return False
    except OSError as error:
        say(f"  ✗ {problem.id}: reference: {problem.reference}: {error.strerror or error}")
        return False
    failed = [each for each in run_samples(problem, code, workers.of(problem)) if not each.passed]
    say(f"  {'✗' if failed else '✓'} {problem.id}: {problem.title}")
    for each in failed:
        say(f"      test {each.number}: {each.words('en')}")
    return not failed
