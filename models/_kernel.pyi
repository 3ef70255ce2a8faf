"""The native kernel (`models/kernel`, Rust): the manual of its Python side."""

__all__ = ["KERNEL_VERSION"]

KERNEL_VERSION: str
