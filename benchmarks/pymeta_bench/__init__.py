"""Benchmarks of the pipeline that students get."""
