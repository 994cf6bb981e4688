"""Threads that decode a type for the first time."""

import subprocess
import sys

FIRST_READERS = """
import sys
from threading import Barrier, Thread
import msgspec
from bot.feature_list import FEATURES
from bot.kernel.kernel import Kernel
from bot.store.sqlite import SqliteStore

sys.setswitchinterval(1e-6)
Kernel(SqliteStore.__new__(SqliteStore), [feature.build for feature in FEATURES])

kinds, found = [], [msgspec.Struct]
while found:
    kinds += (under := found.pop().__subclasses__())
    found += under
together = Barrier(4)

def read():
    for kind in kinds:
        together.wait()
        for field in kind.__struct_fields__:
            try:
                msgspec.convert({field: 0}, kind)
            except (TypeError, msgspec.ValidationError):
                pass

readers = [Thread(target=read) for _ in range(4)]
for reader in readers:
    reader.start()
for reader in readers:
    reader.join()
"""


def test_several_threads_may_decode_a_class_for_the_first_time() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FIRST_READERS], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
