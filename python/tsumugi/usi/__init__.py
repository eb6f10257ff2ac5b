"""USI engines as processes."""

from .Engine import Engine, InfoListener, MultiPVListener

__all__ = ["Engine", "InfoListener", "MultiPVListener"]
