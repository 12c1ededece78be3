"""ONNX Runtime: bundles, providers, encoding, batching.

>>> classifier = OnnxClassifier(Bundle.load(default_bundle()))  # doctest: +SKIP
>>> classifier.logits([Program("print(totl)")]).shape  # doctest: +SKIP
(1, 14)

Importing this package imports neither NumPy nor ONNX Runtime; the first logits do.
"""

from .bundle import Bundle, BundleError, default_bundle
from .classifier import OnnxClassifier, open_classifier
from .providers import Device, DeviceError

__all__ = ["Bundle", "BundleError", "Device", "DeviceError", "OnnxClassifier", "default_bundle", "open_classifier"]
