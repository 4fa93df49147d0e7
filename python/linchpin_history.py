# SPDX-License-Identifier: MIT
"""Check recorded histories of concurrent objects, by liblinchpin-history (linchpin/history.h).

    from linchpin_history import History

    h = History("queue")
    h.call(thread=0, start=1, end=5, method="enqueue", args=[7])
    h.call(thread=1, start=6, end=9, method="dequeue", result="empty")
    answer = h.check()
    print(answer.verdict, answer.reason)          # violation nothing was found, though ...
    for call in answer.core:
        print(call.number, call.text)

Values are whole numbers, truths, texts and None (nil); "empty" and "full" are results of a call that found
nothing, or no room.  Nothing is compiled: the library is loaded with ctypes.  It is looked for in
$LINCHPIN_HISTORY_LIBRARY, beside this file, in lib/ of the prefix that this file is installed in, and where the system looks.
"""
import ctypes
import ctypes.util
import glob
import os
from collections import namedtuple

__all__ = ["History", "Answer", "Call", "Error", "PENDING", "UNKNOWN"]

PENDING = None
"""As an end: the call has not returned."""


class _Unknown:
    def __repr__(self):
        return "UNKNOWN"


UNKNOWN = _Unknown()
"""As a result: the call has returned, and what it gave is not known."""

Call = namedtuple("Call", "number text line")
Answer = namedtuple("Answer", "verdict reason method core attempt")

_VERDICTS = {0: "verified", 1: "violation", 3: "undecided"}
_PENDING = 2**63 - 1
_LOWEST = -(2**63)
_WORDS = {"empty": _LOWEST + 1, "full": _LOWEST + 2}
_NIL = _LOWEST + 3
_LIMIT = 2**62


class Error(Exception):
    """The calls do not fit the specification, or cannot be read."""


class _CallStruct(ctypes.Structure):
    _fields_ = [
        ("thread", ctypes.c_uint32),
        ("result_count", ctypes.c_int32),
        ("start", ctypes.c_int64),
        ("end", ctypes.c_int64),
        ("method", ctypes.c_char_p),
        ("args", ctypes.POINTER(ctypes.c_int64)),
        ("results", ctypes.POINTER(ctypes.c_int64)),
        ("arg_count", ctypes.c_uint32),
    ]


def _places():
    here = os.path.dirname(os.path.abspath(__file__))
    yield os.environ.get("LINCHPIN_HISTORY_LIBRARY")
    yield os.path.join(here, "liblinchpin-history.so")
    prefix = os.path.join(here, "..", "..", "..", "lib*")
    for pattern in ("liblinchpin-history.so*", os.path.join("*", "liblinchpin-history.so*")):
        yield from sorted(glob.glob(os.path.join(prefix, pattern)))
    yield ctypes.util.find_library("linchpin-history")


def _load():
    for place in _places():
        if place and (os.path.exists(place) or os.sep not in place):
            return _declare(ctypes.CDLL(place))
    raise ImportError("liblinchpin-history.so is not found: set LINCHPIN_HISTORY_LIBRARY")


def _declare(lib):
    checker, text, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
    numbers = ctypes.POINTER(ctypes.c_uint32)
    for name, result, *arguments in (
        ("open", checker, text, text, size),
        ("close", None, checker),
        ("property", ctypes.c_bool, checker, text),
        ("limits", None, checker, ctypes.c_double, size),
        ("add", ctypes.c_int64, checker, ctypes.POINTER(_CallStruct)),
        ("text", ctypes.c_int64, checker, text),
        ("read", ctypes.c_bool, checker, text, text, size),
        ("count", ctypes.c_uint32, checker),
        ("decide", ctypes.c_int, checker),
        ("reason", text, checker),
        ("method", text, checker),
        ("error", text, checker),
        ("core", ctypes.c_uint32, checker, numbers, ctypes.c_uint32),
        ("attempt", ctypes.c_uint32, checker, numbers, ctypes.c_uint32),
        ("describe", text, checker, ctypes.c_uint32, text, size),
        ("line", ctypes.c_uint32, checker, ctypes.c_uint32),
    ):
        function = getattr(lib, "lp_checker_" + name)
        function.restype, function.argtypes = result, arguments
    return lib


_library = None


def _get_library():
    global _library
    if _library is None:
        _library = _load()
    return _library


class History:
    """A history of calls on an object with this specification, as for `linchpin history --spec`."""

    def __init__(self, spec, prop="linearizable", seconds=0, memory=0):
        self._lib = _get_library()
        error = ctypes.create_string_buffer(512)
        self._checker = self._lib.lp_checker_open(spec.encode(), error, len(error))
        if not self._checker:
            raise Error(error.value.decode(errors="replace"))
        self._demand(self._lib.lp_checker_property(self._checker, prop.encode()))
        self._lib.lp_checker_limits(self._checker, seconds, memory)

    def close(self):
        if self._checker:
            self._lib.lp_checker_close(self._checker)
        self._checker = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_checker", None):
            self.close()

    def __len__(self):
        return self._lib.lp_checker_count(self._checker)

    def _demand(self, good):
        if not good:
            raise Error(self._lib.lp_checker_error(self._checker).decode(errors="replace"))

    def _value(self, value):
        if value is None:
            return _NIL
        if isinstance(value, (bool, int)):
            if not -_LIMIT <= int(value) <= _LIMIT:
                raise Error("numbers are between -2^62 and 2^62")
            return int(value)
        if isinstance(value, str):
            if value in _WORDS:
                return _WORDS[value]
            if "\0" in value:
                raise Error("a text has no zero in it")
            return self._lib.lp_checker_text(self._checker, value.encode())
        raise Error(f"{value!r} is no value: a whole number, a truth, a text or None")

    def _values(self, values):
        values = [self._value(value) for value in values]
        return (ctypes.c_int64 * max(1, len(values)))(*values), len(values)

    def call(self, thread, start, method, args=(), end=PENDING, result=UNKNOWN):
        """Adds a call and returns its number.  `result`: none if it is (), several if it is a list."""
        if not isinstance(args, (list, tuple)):
            args = [args]
        args, arg_count = self._values(args)
        results, result_count = None, -1
        if result is not UNKNOWN:
            results, result_count = self._values(result if isinstance(result, (list, tuple)) else [result])
        struct = _CallStruct(thread=thread, start=start, end=_PENDING if end is None else end,
                             method=method.encode(), args=args, arg_count=arg_count,
                             results=results, result_count=result_count)
        number = self._lib.lp_checker_add(self._checker, ctypes.byref(struct))
        self._demand(number >= 0)
        return number

    def read(self, text, form="auto"):
        """Adds all calls of a text: "json", "table", "edn", "etcd", "kv" or "auto" (docs/histories.md)."""
        data = text.encode() if isinstance(text, str) else text
        self._demand(self._lib.lp_checker_read(self._checker, form.encode(), data, len(data)))

    def check(self):
        """The answer; its verdict is "verified", "violation" or "undecided"."""
        lib, checker = self._lib, self._checker
        verdict = lib.lp_checker_decide(checker)
        self._demand(verdict in _VERDICTS)
        return Answer(_VERDICTS[verdict], lib.lp_checker_reason(checker).decode(errors="replace"),
                      lib.lp_checker_method(checker).decode(errors="replace"),
                      self._list(lib.lp_checker_core), self._list(lib.lp_checker_attempt))

    def _list(self, function):
        count = function(self._checker, None, 0)
        numbers = (ctypes.c_uint32 * max(1, count))()
        function(self._checker, numbers, count)
        text = ctypes.create_string_buffer(512)
        calls = []
        for number in list(numbers)[:count]:
            self._lib.lp_checker_describe(self._checker, number, text, len(text))
            calls.append(Call(number, text.value.decode(errors="replace"),
                              self._lib.lp_checker_line(self._checker, number)))
        return calls
