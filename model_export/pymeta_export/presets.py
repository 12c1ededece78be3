"""How large everything is: the settings of each named bundle, with the reason beside the number."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final


@dataclass(frozen=True)
class CorpusSettings:
    """How many programs are made of a problem, and how many of each label are kept.

    ``bases`` and ``mistakes`` are by set: restyled correct programs of a problem, and mistakes planted in each. Sets of
    short programs get more, since a beginner's programs are short.
    """

    seed: int = 88
    bases: dict[str, int] = field(
        default_factory=lambda: {
            **{"bank": 8, "mbpp": 8, "humaneval": 8, "quixbugs": 8},
            **{"exercism": 4, "atcoder": 5, "debugbench": 3},
        }
    )
    mistakes: dict[str, int] = field(
        default_factory=lambda: {
            **{"bank": 14, "mbpp": 13, "humaneval": 13, "quixbugs": 14},
            **{"exercism": 10, "atcoder": 11, "debugbench": 9},
        }
    )
    first_problems: dict[str, int] = field(default_factory=lambda: {"debugbench": 100})  # the others' are all taken
    double_share: float = 0.12  # of the mistakes have a second one planted on top
    syntax_share: float = 0.05  # the parser answers these alone: the model needs to have seen them, no more
    longest_characters: int = (
        1_200  # a longer program is cut into windows when served; here it would cost most of the time
    )
    per_problem_and_label: int = 14
    largest_operator_share: float = 0.2  # of a label's programs: else one way of planting it becomes the label
    largest_label_share: float = 0.22
    problems_at_most: int | None = None
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class ModelSettings:
    """A ModernBERT encoder without dropout: the corpus is seen a few times only, and with it PyTorch leaves the fast path.

    A small vocabulary, since a beginner's names are short and a rare token's vector is never learnt.
    """

    vocabulary: int = 4_000
    layers: int = 4
    width: int = 192
    heads: int = 3  # of 64: with 6 of 32 training and answering took a third longer
    feed_forward: int = 384  # twice: ModernBERT's is gated
    runs: int = 32_768  # rows of each table of pairs and triples of tokens; several share a row
    run_width: int = 64
    max_length: int = 512


@dataclass(frozen=True)
class TrainSettings:
    """One run of AdamW with warm-up and a cosine to zero."""

    seed: int = 88
    train_length: int = 512  # tokens; longer programs are cut at the end
    tokens_per_batch: int = 2_048  # about 16 programs of 128 tokens: many small steps, since time is short
    learning_rate: float = 1e-3
    weight_decay: float = 0.01
    warm_up_share: float = 0.06
    epochs: float = 4.0
    minutes: float | None = None  # when set, the schedule is fitted to the clock instead of the epochs
    label_smoothing: float = 0.03
    line_share: float = 0.5  # of the loss for finding the wrong line, beside the label's …
    mistake_share: float = 0.3  # … for naming the mistake …
    repeated_share: float = 0.3  # … and for seeing which names stand again
    evaluate_every_seconds: float = 300.0
    evaluated_programs: int = 1_500  # of the validation problems, while training: all of them would cost minutes
    threads: int = 1  # on a shared machine a second thread mostly waits for the first


@dataclass(frozen=True)
class ServingSettings:
    """How much a bundle is believed when served: the temperature of its evidence, the prior that it is weighed against, and
    the thresholds of ``pymeta.json``.

    The labels of the corpus are as frequent as planting made them, and with those beforehand the classifier outvoted exact
    stages that were right: served, its evidence is weighed against a prior of its own (``mix.served_shift``). These are
    for a bundle that nobody calibrated on programs by learners; ``calibrate --students`` chooses others.
    """

    temperature: float = 2.5
    no_error: float = 0.5  # share of programs that compile and work …
    logic_error: float = 0.23  # … and that print something else; the other labels share the rest equally
    speak: float = 0.55
    sure: float = 0.9
    entropy: float = 1.5
    trust: float = 1.0  # the discount is in the temperature and the shift: the server need not make another


@dataclass(frozen=True)
class Preset:
    """Everything that makes one bundle."""

    name: str
    corpus: CorpusSettings = field(default_factory=CorpusSettings)
    model: ModelSettings = field(default_factory=ModelSettings)
    train: TrainSettings = field(default_factory=TrainSettings)
    serving: ServingSettings = field(default_factory=ServingSettings)
    speak_precision: float = 0.5  # share of right labels asked of what is shown as Information …
    sure_precision: float = 0.8  # … and of what is shown as Warning

    def as_dict(self) -> dict[str, Any]:
        """The settings as they stand in checkpoints and cards."""
        return asdict(self)


_SOME = dict.fromkeys(("bank", "mbpp", "humaneval", "quixbugs", "exercism", "atcoder", "debugbench"), 2)

PRESETS: Final = {
    "mini": Preset("mini"),
    "tiny": Preset(
        "tiny",
        corpus=CorpusSettings(bases=_SOME, mistakes=dict.fromkeys(_SOME, 6), problems_at_most=12),
        model=ModelSettings(
            vocabulary=400, layers=1, width=32, heads=2, feed_forward=64, runs=512, run_width=8, max_length=128
        ),
        train=TrainSettings(train_length=96, tokens_per_batch=1024, epochs=1.0, evaluate_every_seconds=1e9),
    ),
}
"""``mini`` is the bundle that ships; ``tiny`` goes from settings to bundle in under a minute, for tests."""


def preset(name: str, *, seed: int | None = None, minutes: float | None = None) -> Preset:
    """The preset called ``name``, with another seed or time to train. Raises ``ValueError`` naming the presets."""
    if name not in PRESETS:
        raise ValueError(f"unknown preset {name!r}; there are {', '.join(PRESETS)}")
    chosen = PRESETS[name]
    if seed is not None:
        chosen = replace(chosen, corpus=replace(chosen.corpus, seed=seed), train=replace(chosen.train, seed=seed))
    if minutes is not None:
        chosen = replace(chosen, train=replace(chosen.train, minutes=minutes))
    return chosen
