# SPDX-License-Identifier: MIT
"""The two ends of a request to a linchpin-fe that is kept: src/frontend/serve/request.h, once more."""
import os
import socket
import struct

BEGUN = b"b"


def ask(shared, words, environment, messages, folder="."):
    """Sends a request; the socket on which it is answered."""
    own, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    socket.send_fds(shared, [b"r"], [other.fileno(), messages, place])
    os.close(place)
    other.close()
    variables = [f"{name}={value}" for name, value in environment.items()]
    text = b"".join(os.fsencode(word) + b"\0" for word in words + variables)
    own.sendall(struct.pack("=III", len(text), len(words), len(variables)) + text)
    return own


def status_of(own):
    """The exit status; None if the process ends without one."""
    answer = b""
    while len(answer) < 5:
        part = own.recv(5 - len(answer))
        if not part:
            return None
        answer += part
    own.close()
    assert answer[:1] == BEGUN, answer
    return struct.unpack("=I", answer[1:])[0]


def take(shared):
    """Receives a request: its socket, where messages go, the folder, and the words of the command."""
    _, parts, _, _ = socket.recv_fds(shared, 1, 3)
    own = socket.socket(fileno=parts[0])
    with own.makefile("rb") as stream:
        size, count, _ = struct.unpack("=III", stream.read(12))
        words = stream.read(size).split(b"\0")
    return own, parts[1], parts[2], [os.fsdecode(word) for word in words[:count]]
