"""Removes from Python on Linux or macOS what Windows does not have.

With this folder in PYTHONPATH every Python process, children included, loads this module first.
What Python itself needs to start processes here stays: the program does not call it.
"""

import asyncio
import errno
import fcntl as _fcntl
import os
import signal
import subprocess
import sys
from asyncio.base_subprocess import BaseSubprocessTransport
from collections.abc import Callable
from pathlib import Path
from typing import Any

MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty")
KEPT = ("SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "SIG_DFL", "SIG_IGN")
"""The signals that Windows knows; SIGBREAK cannot be lent to it here."""
SIGNAL_FUNCTIONS = (
    "alarm",
    "pause",
    "pthread_kill",
    "pthread_sigmask",
    "setitimer",
    "siginterrupt",
    "sigwait",
)
OS_FUNCTIONS = (
    *(
        "chown",
        "fchmod",
        "fchown",
        "fdatasync",
        "fork",
        "forkpty",
        "getegid",
        "geteuid",
        "getgid",
        "getgroups",
    ),
    *(
        "getloadavg",
        "getpgid",
        "getpgrp",
        "getpriority",
        "getsid",
        "getuid",
        "killpg",
        "mkfifo",
        "mknod",
    ),
    *("posix_spawn", "pread", "pwrite", "setpgid", "setpriority", "setsid"),
    *("statvfs", "sync", "sysconf", "uname"),
)
OPEN_FILES = Path("/proc/self/fd")
"""Where Linux lists the open files of a process; elsewhere they are not looked at."""

_connect_read_pipe = asyncio.SelectorEventLoop.connect_read_pipe
_fsync = os.fsync


def _no_signal_handler(self: Any, *_: Any) -> None:
    raise NotImplementedError


async def _connect_no_stdin(self: Any, protocol_factory: Any, pipe: Any) -> Any:
    # A Windows event loop only reads from pipes that were made for it.
    if pipe is sys.stdin:
        raise OSError(errno.EBADF, "The handle is invalid")
    return await _connect_read_pipe(self, protocol_factory, pipe)


def _fsync_what_is_written(file: int) -> None:
    # Windows only syncs a file that was opened for writing.
    if _fcntl.fcntl(file, _fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    _fsync(file)


def _only_closed(change: Callable[..., None]) -> Callable[..., None]:
    """Wrap a function that removes or renames files: like Windows, refuse open ones."""

    def change_closed(*paths: Any, **options: Any) -> None:
        opened = {file.resolve() for file in OPEN_FILES.iterdir()} if OPEN_FILES.is_dir() else set()
        if opened & {Path(path).resolve() for path in paths}:
            raise PermissionError(
                errno.EACCES, "The process cannot access the file because it is being used"
            )
        change(*paths, **options)

    return change_closed


def _kill(self: Any) -> None:
    self.send_signal(9)


for name in MODULES:
    sys.modules[name] = None  # type: ignore[assignment]  (so that importing it fails)
for name in [name for name in dir(signal) if name.startswith("SIG") and name not in KEPT]:
    delattr(signal, name)
for name in SIGNAL_FUNCTIONS:
    delattr(signal, name)
for name in OS_FUNCTIONS:
    if hasattr(os, name):
        delattr(os, name)
os.fsync = _fsync_what_is_written
for name in ("remove", "rename", "replace", "unlink"):
    setattr(os, name, _only_closed(getattr(os, name)))
subprocess.Popen.kill = BaseSubprocessTransport.kill = _kill  # type: ignore[method-assign]
loop: Any = asyncio.SelectorEventLoop
loop.add_signal_handler = loop.remove_signal_handler = _no_signal_handler
loop.connect_read_pipe = _connect_no_stdin
