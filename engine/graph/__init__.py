"""ONNX surgery."""
