"""picture.py -- what a browser paints: screenshots, as colours and how often each occurs.

Headless Chromium writes PNG files of eight bits a channel, without interlacing; that is all that
is understood here.
"""
import struct
import subprocess
import tempfile
import zlib
from collections import Counter


def rows_of(data, width, height, step):
    """The lines of the picture, with what PNG's filters do undone."""
    before = bytearray(width * step)
    for y in range(height):
        start = y * (width * step + 1)
        kind, line = data[start], bytearray(data[start + 1:start + 1 + width * step])
        if kind == 2:
            line = bytearray((a + b) & 255 for a, b in zip(line, before))
        elif kind:
            for x in range(len(line)):
                left = line[x - step] if x >= step else 0
                corner = before[x - step] if x >= step else 0
                guess = left if kind == 1 else (left + before[x]) // 2
                if kind == 4:
                    far = left + before[x] - corner
                    guess = min((left, before[x], corner), key=lambda c: abs(far - c))
                line[x] = (line[x] + guess) & 255
        yield line
        before = line


def colours(png):
    """How often each colour occurs, and the one in the upper left corner."""
    at, parts, step = 8, b"", 3
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", body[:10])
            step = {2: 3, 6: 4}[colour]
        elif kind == b"IDAT":
            parts += body
        at += length + 12
    count = Counter()
    first = None
    for line in rows_of(zlib.decompress(parts), width, height, step):
        channels = [line[i::step] for i in range(3)]
        count.update(zip(*channels))
        first = first or tuple(channel[0] for channel in channels)
    return count, first


def shoot(chromium, sandbox, page, kind, *options):
    """The file that the browser makes of a page, in that format: png, pdf."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        source, target = f"{folder}/page.html", f"{folder}/made.{kind}"
        with open(source, "w") as out:
            out.write(page)
        subprocess.run([chromium, "--headless", "--disable-gpu", *sandbox, f"--user-data-dir={folder}/profile", "--no-first-run",
                        "--disable-background-networking", "--window-size=900,560", "--hide-scrollbars", "--virtual-time-budget=2000",
                        f"--{'screenshot' if kind == 'png' else 'print-to-pdf'}={target}", *options, f"file://{source}"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=100, check=True)
        with open(target, "rb") as made:
            return made.read()
