# SPDX-License-Identifier: MIT
"""Smaller programs than a given one."""


def without_breaks(body):
    return [s if s[0] != "if" else (*s[:4], without_breaks(s[4])) for s in body if s[0] != "break"]


def simpler(s):
    """What a statement may be replaced by: lists of statements."""
    yield []
    if s[0] == "if":
        yield s[4]
        for body in smaller_bodies(s[4]):
            yield [(*s[:4], body)]
    elif s[0] == "loop":
        yield without_breaks(s[3])
        for body in smaller_bodies(s[3]):
            if s[1] is not None or any(x[0] == "break" for x in body):
                yield [(*s[:3], body)]
    elif s[0] == "cas" and s[5]:
        yield [(*s[:5], False, *s[6:])]


def smaller_bodies(body):
    for i, s in enumerate(body):
        for less in simpler(s):
            yield body[:i] + less + body[i + 1:]


def without_thread(program, t):
    number = {old: old - (old > t) for old in range(len(program.threads)) if old != t}
    left = [u for u in number if u]
    like = [0] + [number[min(v for v in left if program.like[v] == program.like[u])] for u in left]
    return program.replaced(threads=[b for u, b in enumerate(program.threads) if u != t], like=like,
                            joins=[number[u] for u in program.joins if u != t])


def candidates(program):
    """All programs that are one step smaller, those first that are much smaller."""
    count = len(program.threads)
    for t in range(1, count):
        if count > 2:
            yield without_thread(program, t)
    if program.c11:
        yield program.replaced(c11=False)
    for i in range(len(program.after)):
        yield program.replaced(after=program.after[:i] + program.after[i + 1:])
    for t in range(count):
        if program.like[t] != t:
            continue
        for body in smaller_bodies(program.threads[t]):
            yield program.replaced(threads=[body if program.like[u] == t else b for u, b in enumerate(program.threads)])
    if program.like != list(range(count)):
        yield program.replaced(like=list(range(count)))
    if program.joins != list(range(1, count)):
        yield program.replaced(joins=list(range(1, count)))


def size(program):
    return 3 * len(program.threads) + len(program.after) + sum(1 for _ in program.statements())
