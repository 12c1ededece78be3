from __future__ import annotations

import json

from pymeta_lsp.diagnosis.evidence import Evidence, Verdict
from pymeta_lsp.diagnosis.wire import verdict_object
from pymeta_taxonomy import Label


def test_a_verdict_has_the_keys_that_other_programs_read() -> None:
    verdict = Verdict(Label.OTHER_ERROR, Evidence.SCOPE, 0.98, 0.11, "zero-division-error")
    assert json.loads(json.dumps(verdict_object(verdict))) == {
        "label": 13,
        "name": "other-error",
        "detail": "zero-division-error",
        "task_a": "error",
        "task_b": "explicit-error",
        "confidence": 0.98,
        "entropy": 0.11,
        "evidence": "scope",
    }
