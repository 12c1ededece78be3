"""ONNX Runtime: bundles, providers, encoding, batching."""
