"""Pretrained models taught the labels: CodeBERT as a whole, CodeLlama-7B and SmolLM2 through LoRA.

::

    presets.py     which model, and how it is taught          settings.py   what a run was started with, in RUN/finetune.json
    programs.py    programs with labels, of the corpus or of PyMETA files
    weights.py     the pretrained weights and their tokenizer  training.py   transformers' Trainer; adapters merged
    exporting.py   ONNX by optimum, int8, external data        bundling.py   the bundle's folder
    verifying.py   the file against PyTorch                    calibrating.py  temperature, thresholds, scores
    card.py        BUNDLE.md                                   steps.py      what each verb does

What the network reads is encoded by the server's own ``pymeta_lsp.runtime.encoding``, in training too.
"""
