"""How fast the three sizes of classifier answer on a GPU: ONNX Runtime beside PyTorch, on the same card and the same inputs."""
