"""A verdict as other programs read it: the same keys in a check's JSON and in what a client is told."""

from __future__ import annotations

from typing import Any

from .evidence import Verdict


def verdict_object(verdict: Verdict) -> dict[str, Any]:
    """``label`` is the integer id, ``name`` the slug; ``confidence`` is from 0 to 1, ``entropy`` in nats."""
    return {
        "label": int(verdict.label),
        "name": verdict.label.slug,
        "detail": verdict.detail,
        "task_a": verdict.label.task_a,
        "task_b": verdict.label.task_b,
        "confidence": verdict.confidence,
        "entropy": verdict.entropy,
        "evidence": verdict.evidence.value,
    }
