"""Pretrained weights and their tokenizer: from the hub, from a folder, or from a GGUF file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pymeta_taxonomy import task_classes

from .settings import Settings


class WeightsError(RuntimeError):
    """The pretrained weights cannot be had; the message says how to get them."""


def local_base(settings: Settings, run: Path) -> str:
    """Where transformers finds the weights: a name on the hub, or a folder. A GGUF file is converted into ``RUN/base``
    once, as reading one is slow.

    Raises :class:`WeightsError` where the file or folder named is none.
    """
    named = Path(settings.preset.base).expanduser()
    if named.suffix != ".gguf":
        if named.is_dir() and not (named / "config.json").is_file():
            raise WeightsError(f"{named}: no weights there that transformers can read: there is no config.json")
        return str(named) if named.is_dir() else settings.preset.base
    folder = run / "base"
    if not folder.is_dir():
        if not named.is_file():
            raise WeightsError(f"{named}: there is no such file")
        import torch
        from transformers import AutoModel, AutoTokenizer

        made = run / "base.part"
        options = {"gguf_file": named.name}
        _loaded(AutoTokenizer, str(named.parent), **options).save_pretrained(made)
        _loaded(AutoModel, str(named.parent), dtype=torch.float32, **options).save_pretrained(made)
        made.rename(folder)
    return str(folder)


def save_tokenizer(base: str, path: Path) -> None:
    """Write the base's tokenizer as the ``tokenizer.json`` of a bundle, with the padding that the network will know."""
    from tokenizers import Tokenizer
    from transformers import AutoTokenizer

    loaded = _loaded(AutoTokenizer, base, use_fast=True)
    tokenizer = Tokenizer.from_str(loaded.backend_tokenizer.to_str())
    tokenizer.no_truncation()
    # A Llama has no padding token: it is masked, and any id will do that ends no program (its unknown token, 0).
    pad = loaded.pad_token_id if loaded.pad_token_id is not None else loaded.unk_token_id or 0
    tokenizer.enable_padding(pad_id=pad, pad_token=tokenizer.id_to_token(pad))
    path.parent.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(path))


def load_base(settings: Settings, base: str, pad: int, *, four_bit: bool = False, half: bool = False) -> Any:
    """A sequence classifier on the pretrained weights, its head random by the seed; on the GPU where there is one.

    ``base`` is what :func:`local_base` said, ``pad`` the tokenizer's padding id. Raises :class:`WeightsError`.
    """
    import torch
    from transformers import AutoModelForSequenceClassification, BitsAndBytesConfig, set_seed

    set_seed(settings.preset.teaching.seed)
    classes = task_classes(settings.task)
    options: dict[str, Any] = {
        "num_labels": len(classes),
        "id2label": dict(enumerate(classes)),
        "label2id": {name: number for number, name in enumerate(classes)},
        "pad_token_id": pad,
        "dtype": torch.float16 if half else torch.float32,
    }
    if four_bit:
        options["quantization_config"] = BitsAndBytesConfig(
            load_in_4bit=True,
            bnb_4bit_quant_type="nf4",
            bnb_4bit_compute_dtype=torch.bfloat16,
            llm_int8_skip_modules=["score"],  # the head is new, and taught in full
        )
        options["device_map"] = {"": device()}
    model = _loaded(AutoModelForSequenceClassification, base, **options)
    _refuse_length(settings.preset.max_length, model.config)
    return model if four_bit else model.to(device())


def _refuse_length(max_length: int, config: Any) -> None:
    # RoBERTa counts positions from after its padding id
    first = config.pad_token_id + 1 if config.model_type == "roberta" else 0
    most = getattr(config, "max_position_embeddings", max_length) - first
    if max_length > most:
        raise WeightsError(f"--max-length {max_length}: this model reads at most {most} tokens")


def device() -> str:
    """``cuda`` where PyTorch has it, else ``cpu``."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def _loaded(loader: Any, base: str, **options: Any) -> Any:
    try:
        return loader.from_pretrained(base, **options)
    except (OSError, ImportError, ValueError) as error:
        if Path(base).exists():
            raise WeightsError(f"{base}: no weights that can be read there: {error}") from error
        raise WeightsError(
            f"{base}: not in the hub's cache, and the hub cannot be reached or does not give it. Where there is a network: "
            f"hf download {base} --local-dir FOLDER (after hf auth login for a model whose owner asks you to agree to "
            f"terms); then --base FOLDER. ({str(error).splitlines()[0]})"
        ) from error
