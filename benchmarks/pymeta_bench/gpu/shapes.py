"""The architectures that are measured. Speed does not depend on what the weights are, so random ones of the same shape will do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final


@dataclass(frozen=True)
class Shape:
    """A transformers configuration: ``kind`` names its class, ``numbers`` are its arguments."""

    name: str
    kind: str
    numbers: dict[str, Any] = field(default_factory=dict)

    def config(self) -> Any:
        """The configuration, with 14 labels."""
        import transformers

        made = {"roberta": transformers.RobertaConfig, "llama": transformers.LlamaConfig}[self.kind]
        return made(num_labels=14, pad_token_id=1 if self.kind == "roberta" else 0, **self.numbers)


SHAPES: Final = {
    shape.name: shape
    for shape in (
        Shape(
            "codebert",
            "roberta",
            {"vocab_size": 50_265, "max_position_embeddings": 514, "type_vocab_size": 1, "layer_norm_eps": 1e-5},
        ),
        Shape(
            "smollm2-135m",
            "llama",
            {
                **{"vocab_size": 49_152, "hidden_size": 576, "intermediate_size": 1_536, "num_hidden_layers": 30},
                **{"num_attention_heads": 9, "num_key_value_heads": 3, "rope_theta": 100_000.0},
            },
        ),
        Shape(
            "codellama-7b",
            "llama",
            {
                **{"vocab_size": 32_016, "hidden_size": 4_096, "intermediate_size": 11_008, "num_hidden_layers": 32},
                **{"num_attention_heads": 32, "num_key_value_heads": 32, "rope_theta": 1_000_000.0},
                "max_position_embeddings": 16_384,
            },
        ),
        Shape(
            "tiny",
            "llama",
            {
                **{"vocab_size": 300, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1},
                **{"num_attention_heads": 2, "num_key_value_heads": 1},
            },
        ),
    )
}
"""The models' published configurations; ``tiny`` is for trying the command out."""
