#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare linchpin's answers about random native programs with each other and with a naive judge.

usage: fuzz.py EXPLORE NAIVE [--seed N] [--programs N] [--models M,M] [--without REDUCTION,...] [--keep FOLDER]

Each program is explored with all reductions, without any (if it then comes to an end), without
each of them, with some of them, and with its threads created in the reverse order: the verdict
must be the same, and so must be the outcomes if it is "verified".  NAIVE goes through all
interleavings of the program.  Under sc its answer is the right one.  What it finds wrong is wrong
under the other models as well, and what it sees can be seen there; nothing else can if all
atomics are seq_cst.

A program on which they differ is made smaller and printed, with the commands to repeat it.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import language  # pylint: disable=wrong-import-position
import reduction_table  # pylint: disable=wrong-import-position
import shrink  # pylint: disable=wrong-import-position
from generate import generate  # pylint: disable=wrong-import-position

MODELS = ["sc", "tso", "ra", "rc11"]
REDUCTIONS = {field: word for field, word, _, _ in reduction_table.of_run()}
NEED_SPIN = [field for field, _, _, needs in reduction_table.of_run() if needs]
STUCK = {"deadlock", "liveness", "endless loop"}
EXECUTIONS, SECONDS, STATES = 5000, .5, 100000


class Answer:
    def __init__(self, line):
        self.verdict, self.kind, self.executions, outcomes, self.text = line.rstrip("\n").split("|", 4)
        self.outcomes = frozenset(o for o in outcomes.split(";") if o)

    def __str__(self):
        if self.verdict != "verified":
            return f"{self.verdict} ({self.kind}: {self.text})"
        return f"verified, outcomes {' '.join(sorted(self.outcomes))}"


def judge(naive, programs, how):
    """A line for each program."""
    run = subprocess.run([naive], input="".join(f"{language.code(p)}{how} {STATES}\n" for p in programs),
                         capture_output=True, text=True, check=True)
    lines = run.stdout.splitlines()
    assert len(lines) == len(programs), run.stderr
    return lines


class Judgement:
    """The naive judge's answer: errors under sc, errors if memory orders are taken into account, outcomes.  If there are any
    errors, others may be hidden; all_errors() asks again."""

    def __init__(self, naive, program, line):
        self.naive, self.program, self.all = naive, program, None
        self.too_large = line.startswith("too large")
        if not self.too_large:
            self.sc, self.c11, self.outcomes = (frozenset(x for x in f.split(";") if x)
                                                for f in line.rstrip("\n").split("|"))

    def errors(self, model):
        return self.c11 if model == "rc11" else self.sc

    def all_errors(self):
        """Under sc; None: too many states."""
        if self.all is None:
            self.all = Judgement(self.naive, self.program, judge(self.naive, [self.program], "slowly")[0])
        return None if self.all.too_large else self.all.sc

    def __str__(self):
        return f"sc {sorted(self.sc) or 'verified'}, with orders {sorted(self.c11) or 'verified'}, " \
               f"outcomes {' '.join(sorted(self.outcomes))}"


class Difference:
    """`kind` is what must stay the same when the program becomes smaller."""

    def __init__(self, kind, model, options, backwards, first, against, text):
        self.kind, self.model, self.options, self.backwards, self.text = kind, model, options, backwards, text
        self.first = first      # it is the reference that is wrong
        self.against = against  # other options with which there must be as many executions, or None


class Batch:
    """Some programs in one file, compiled, with the naive judge's answers."""

    def __init__(self, args, folder, programs):
        self.args, self.programs = args, programs
        self.path = os.path.join(folder, "programs.c")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(language.batch(programs))
        self.judged = [Judgement(args.naive, p, line) for p, line in zip(programs, judge(args.naive, programs, "judge"))]
        self.process = None
        self.asked = 0

    def ask(self, n, model, options, backwards=False):
        if not self.process:
            self.process = subprocess.Popen([self.args.explore, self.path, "--", "-w"], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, text=True, encoding="latin-1")
        self.asked += 1
        try:
            self.process.stdin.write(f"{2 * n + backwards} {model} {','.join(options) or '-'} {EXECUTIONS} {SECONDS}\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            status = self.process.wait()
            self.process = None
            return Answer(f"died|status {status}|0||")
        return Answer(line)

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()


def compare(program, judged, model, answer, reference):
    """Returns how the answer is wrong, or None if it is right."""
    if answer.verdict == "inconclusive":
        return None
    if answer.verdict == "died" or answer.kind == "not replayed":
        return answer.kind
    errors = judged.errors(model)
    kind = "stuck" if answer.kind in STUCK else answer.kind
    if kind == "race" and "use after free" in errors:
        kind = "use after free"  # a race with a free may be called either
    if errors and answer.verdict == "verified":
        return "missed " + " or ".join(sorted(errors))
    if answer.verdict == "violation" and (model == "sc" or program.is_seq_cst()) and kind not in errors:
        if not errors or (model == "sc" and judged.all_errors() is not None and kind not in judged.all_errors()):
            return f"invented {kind}"
    if answer.verdict == "verified":
        exact = model == "sc" or program.is_seq_cst()
        if not judged.outcomes <= answer.outcomes:
            return "lost outcomes"
        if exact and answer.outcomes != judged.outcomes:
            return "invented outcomes"
    if reference and reference.verdict != "inconclusive":
        if answer.verdict != reference.verdict:
            return f"{answer.verdict}, not {reference.verdict}"
        if answer.verdict == "verified" and answer.outcomes != reference.outcomes:
            return "other outcomes"
    return None


def option_sets(r, program, on, model):
    """The reference first."""
    spins = program.spins() and "spin" in on
    yield (["spin"] if spins else []), False
    yield on, False
    yield ["random=200"], False
    if not program.is_ordered():
        yield on, True
    for o in on:
        if not (o == "spin" and spins):
            yield [x for x in on if x != o and (o != "spin" or x not in NEED_SPIN)], False
    some = [x for x in on if r.random() < .5 or (x == "spin" and spins)]
    yield some, r.random() < .5 and not program.is_ordered()
    if model == "sc" and r.random() < .3:
        yield [*on, "preemptions"], False
    if r.random() < .05:
        yield [*on, "jobs=2"], False


def miscounts(options, backwards, answer, counted):
    """The options among those before with which there were other numbers of executions, though neither the end of main()
    nor processes should matter; None if there are none."""
    if answer.verdict != "verified" or backwards:
        return None
    key = frozenset(options) - {"final_joins", "jobs=2"}
    before, executions = counted.setdefault(key, (options, answer.executions))
    return before if executions != answer.executions else None


def differs(batch, n, model, sets):
    """The first options with which the answer about program n is wrong, as a Difference; and the
    answer to the reference."""
    program, judged, reference, endless, counted = batch.programs[n], batch.judged[n], None, 0, {}
    for options, backwards in sets:
        answer = batch.ask(n, model, options, backwards)
        if answer.kind and answer.kind in batch.args.ignore.split(","):
            answer.verdict = "inconclusive"
        endless += answer.verdict == "inconclusive" and "random=200" not in options
        if endless > 2:
            break
        wrong = compare(program, judged, model, answer, reference)
        against = None if wrong else miscounts(options, backwards, answer, counted)
        if against is not None:
            wrong = "other number of executions"
        if wrong:
            text = f"{model}, with {' '.join(options) or 'nothing'}{', backwards' if backwards else ''}: {wrong}\n" \
                   f"  answer:    {answer}\n  reference: {reference or '-'}\n  naive:     {judged}"
            if against is not None:
                text += f"\n  {answer.executions} executions, but not with {' '.join(against) or 'nothing'}"
            return Difference(wrong, model, options, backwards, not reference, against, text), reference
        reference = reference or answer
    return None, reference


def shows(batch, n, found):
    """Is there the same difference in program n?"""
    p = batch.programs[n]
    if batch.judged[n].too_large or (found.backwards and p.is_ordered()):
        return None
    sets = [(["spin"] if p.spins() else [], False)]
    if found.against is not None:
        sets.append((found.against, False))
    again, _ = differs(batch, n, found.model, [*sets, (found.options, found.backwards)])
    same = again and again.kind == found.kind and (again.options == found.options or (again.first and found.first))
    return again if same else None


def smaller(args, folder, program, found):
    """The smallest program that shows the same difference."""
    while True:
        todo = [p for p in shrink.candidates(program)
                if shrink.size(p) <= shrink.size(program) and language.own_blocks(p)]
        better = None
        for start in range(0, len(todo), 24):
            batch = Batch(args, folder, todo[start:start + 24])
            for n, p in enumerate(batch.programs):
                again = shows(batch, n, found)
                if again:
                    better = p, again
                    break
            batch.close()
            if better:
                break
        if not better:
            return program, found
        program, found = better


def show(args, seed, number, program, found):
    name = os.path.join(args.keep or ".", f"native-{seed}-{number}.c")
    text = language.HEAD + language.source(program, found.backwards)
    sample = [o.replace("random=", "--random ") for o in found.options if o.startswith("random=")]
    off = sample or [f"--no-{word}" for x, word in REDUCTIONS.items() if x not in found.options]
    extra = ["--preemptions 1000"] if "preemptions" in found.options else []
    extra += [o.replace("jobs=", "-j ") for o in found.options if o.startswith("jobs=")]
    lines = [f"seed {seed}, program {number}: {found.text}", "to repeat it:",
             f"  linchpin run {name} " + " ".join([f"--model {found.model}", *off, *extra]),
             f"  fuzz.py EXPLORE NAIVE --seed {seed} --first {number} --programs 1" +
             (f" --idioms {args.idioms}" if args.idioms else "")]
    if args.keep:
        with open(name, "w", encoding="utf-8") as file:
            file.write("/* " + "\n * ".join(lines) + "\n */\n" + text)
    print("\n".join(lines) + "\n" + text, flush=True)


def program_of(seed, number, idioms=()):
    r = random.Random(seed * 1000003 + number)
    return r, generate(r, idioms)


def run_batch(args, folder, numbers, counts):
    """Differences, shown; their number."""
    made = [(n, *program_of(args.seed, n, args.idioms.split(",") if args.idioms else ())) for n in numbers]
    skipped = set(args.skip.split(","))
    made = [m for m in made if not skipped & {s[0] for s in m[2].statements()}]
    batch = Batch(args, folder, [p for _, _, p in made])
    on = [x for x in REDUCTIONS if x not in args.without.split(",")]
    wrong = 0
    for n, (number, r, program) in enumerate(made):
        if batch.judged[n].too_large:
            counts["too large"] = counts.get("too large", 0) + 1
            continue
        models = args.models.split(",") if args.models else ["sc", r.choice(MODELS[1:])]
        for model in models:
            found, reference = differs(batch, n, model, option_sets(r, program, on, model))
            verdict = reference.verdict if reference else "-"
            counts[verdict] = counts.get(verdict, 0) + 1
            if found:
                wrong += 1
                show(args, args.seed, number, *smaller(args, folder, program, found))
                break
        if wrong and not args.all:
            break
    batch.close()
    counts["asked"] = counts.get("asked", 0) + batch.asked
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("explore")
    parser.add_argument("naive")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--models", default="", help="all of them, instead of sc and another one")
    parser.add_argument("--without", default="", help="reductions that are never on")
    parser.add_argument("--idioms", default="", help="make programs of these only (generate.py)")
    parser.add_argument("--ignore", default="", help="kinds of violation that count as inconclusive")
    parser.add_argument("--skip", default="", help="leave out programs with these operations")
    parser.add_argument("--all", action="store_true", help="go on after a difference")
    parser.add_argument("--keep", help="folder for programs on which answers differ")
    args = parser.parse_args()
    counts, wrong = {}, 0
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        last = args.first + args.programs
        for start in range(args.first, last, 50):
            wrong += run_batch(args, folder, range(start, min(start + 50, last)), counts)
            if wrong and not args.all:
                break
    print(f"seed {args.seed}: {counts}, {wrong} differences")
    if not wrong and args.programs >= 50 and not 0 < counts.get("violation", 0) < 2 * counts.get("verified", 0):
        print("too few programs are verified, or wrong, to mean anything")
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
