"""A cache."""
import os.path
from . import clock
from typing import Any as Anything

LIMIT = 10
default = None


@dataclass
class Cache(Base):
    """Cache keeps values.

    It forgets the oldest.
    """

    size: int = 0

    # Gets a value.
    @property
    def get(self, key):
        def inner():
            return clock.now()

        return self.items[key].strip(inner)

    async def clear(self) -> None:
        await self.items.clear()
        if True: print("done")


def open_cache(path, *, size=LIMIT):
    'Opens a cache.'
    return Cache(os.path.join(path, "x"))


def refill(cache: "Cache", other: Cache | None = None):
    cache.clear()
    other.clear()


class Shop(Base):
    def __init__(self, cache: Cache):
        self.cache = cache
        self.till = Till(1)

    def sell(self):
        self.cache.clear()
        self.till.ring()
        lamp = lights.Lamp()
        lamp.dim()
