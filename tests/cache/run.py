#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cache of compiled programs: they are used exactly if compiling again would give the same.

usage: run.py LINCHPIN [--only NAME]

Each test has a folder and a cache of its own (place.py).  Whether a program fails an assertion depends on
what it is compiled from, so an outdated program gives a wrong exit status.
"""
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from place import Place  # noqa: E402

LINCHPIN = ""
TESTS = []
VERIFIED, VIOLATION, USAGE = 0, 1, 2
PROGRAM = "#include <assert.h>\n%s\nint main(void) { assert(X == 1); return 0; }\n"


def test(function):
    TESTS.append(function)
    return function


# ---- sources and headers ----

@test
def source(p):
    p.write("a.c", PROGRAM % "#define X 1")
    p.compiles(VERIFIED, "a.c")
    p.hits(VERIFIED, "a.c")
    p.write("a.c", PROGRAM % "#define X 2")
    p.compiles(VIOLATION, "a.c")
    p.hits(VIOLATION, "a.c")
    p.write("a.c", PROGRAM % "#define X 1")
    p.hits(VERIFIED, "a.c")


@test
def header(p):
    p.write("a.c", PROGRAM % '#include "x.h"')
    p.write("x.h", "#define X 1\n")
    p.compiles(VERIFIED, "a.c")
    p.hits(VERIFIED, "a.c")
    p.write("x.h", "#define X 2\n")
    p.compiles(VIOLATION, "a.c")
    p.write("x.h", "#define X 1\n")
    p.hits(VERIFIED, "a.c")
    os.remove(p.path("x.h"))
    p.compiles(USAGE, "a.c")


@test
def header_with_old_times(p):
    """A change that leaves size and time of change as they were, long after both."""
    p.write("a.c", PROGRAM % '#include "x.h"')
    p.write("x.h", "#define X 1\n")
    time.sleep(2.2)  # from then on, times are trusted
    p.compiles(VERIFIED, "a.c")
    before = os.stat(p.path("x.h"))
    p.write("x.h", "#define X 2\n")
    os.utime(p.path("x.h"), ns=(before.st_atime_ns, before.st_mtime_ns))
    time.sleep(0.03)
    p.compiles(VIOLATION, "a.c")
    os.utime(p.path("x.h"))
    p.hits(VIOLATION, "a.c")


@test
def header_from_the_future(p):
    """Simulates a change during the compilation."""
    p.write("a.c", PROGRAM % '#include "x.h"')
    p.write("x.h", "#define X 1\n")
    os.utime(p.path("x.h"), (time.time() + 1000, time.time() + 1000))
    p.never_kept(VERIFIED, "a.c")


@test
def header_through_links(p):
    p.write("a.c", PROGRAM % '#include "x.h"\n#include "d/y.h"')
    p.write("one.h", "#define X 1\n")
    p.write("two.h", "#define X 2\n")
    p.write("d1/y.h", "")
    p.write("d2/y.h", "#undef X\n#define X 2\n")
    os.symlink("one.h", p.path("x.h"))
    os.symlink("d1", p.path("d"))
    time.sleep(0.03)
    p.compiles(VERIFIED, "a.c")
    p.hits(VERIFIED, "a.c")
    os.remove(p.path("x.h"))
    os.symlink("two.h", p.path("x.h"))
    p.compiles(VIOLATION, "a.c")
    os.remove(p.path("x.h"))
    os.symlink("one.h", p.path("x.h"))
    p.hits(VERIFIED, "a.c")
    os.remove(p.path("d"))
    os.symlink("d2", p.path("d"))
    p.compiles(VIOLATION, "a.c")


@test
def several_sources(p):
    p.write("a.c", "#include <assert.h>\nint f(void);\nint main(void) { assert(f() == 1); return 0; }\n")
    p.write("b.c", '#include "x.h"\nint f(void) { return X; }\n')
    p.write("x.h", "#define X 1\n")
    p.compiles(VERIFIED, "a.c", "--", "b.c")
    p.hits(VERIFIED, "a.c", "--", "b.c")
    p.write("x.h", "#define X 2\n")
    p.compiles(VIOLATION, "a.c", "--", "b.c")
    p.write("b.c", "int f(void) { return 1; }\n")
    p.compiles(VERIFIED, "a.c", "--", "b.c")


@test
def cplusplus(p):
    p.write("a.cc", '#include <atomic>\n#include <vector>\n' + PROGRAM % '#include "x.h"')
    p.write("x.h", "#define X 1\n")
    p.compiles(VERIFIED, "a.cc")
    p.hits(VERIFIED, "a.cc")
    p.write("x.h", "#define X 2\n")
    p.compiles(VIOLATION, "a.cc")
    p.write("x.h", "#define X 1\n")
    p.hits(VERIFIED, "a.cc")
    p.compiles(VERIFIED, "a.cc", "--", "-I", "one", "-I", "two")
    p.hits(VERIFIED, "a.cc", "--", "-I", "one", "-I", "two")
    p.write("two/vector", "#error another one\n")
    p.compiles(USAGE, "a.cc", "--", "-I", "one", "-I", "two")


@test
def source_from_standard_input(p):
    os.symlink("/dev/stdin", p.path("a.c"))
    for x, status in ((1, VERIFIED), (2, VIOLATION), (1, VERIFIED)):
        p.write("text", PROGRAM % f"#define X {x}")
        with open(p.path("text")) as text:
            found = p.run("a.c", stdin=text)
        assert found[0] == status, (x, found, p.errors)
        with subprocess.Popen(["cat", p.path("text")], stdout=subprocess.PIPE) as cat:
            p.expect(USAGE, False, "a.c", stdin=cat.stdout)  # it is no file


@test
def working_folder(p):
    for name, x in (("one", 1), ("two", 2), ("three", 1)):
        p.write(name + "/a.c", PROGRAM % '#include "sub/x.h"')
        p.write(name + "/sub/x.h", f"#define X {x}\n")
    p.compiles(VERIFIED, "a.c", cwd=p.path("one"))
    p.compiles(VIOLATION, "a.c", cwd=p.path("two"))
    p.hits(VERIFIED, "a.c", cwd=p.path("one"))
    p.compiles(VERIFIED, "a.c", cwd=p.path("three"))  # its paths are others


# ---- headers that appear ----

@test
def shadowed_in_list(p):
    p.write("a.c", PROGRAM % "#include <x.h>")
    p.write("two/x.h", "#define X 1\n")
    os.mkdir(p.path("one"))
    words = ("a.c", "--", "-I", "one", "-Itwo")
    p.compiles(VERIFIED, *words)
    p.hits(VERIFIED, *words)
    p.write("one/y.h", "")
    p.hits(VERIFIED, *words)
    p.write("one/x.h", "#define X 2\n")
    p.compiles(VIOLATION, *words)


@test
def shadowed_in_folder_that_appears(p):
    p.write("a.c", PROGRAM % "#include <d/x.h>")
    p.write("two/d/x.h", "#define X 1\n")
    words = ("a.c", "--", "-I", "none", "-I", "one", "-I", "two")
    os.mkdir(p.path("one"))
    p.compiles(VERIFIED, *words)
    p.hits(VERIFIED, *words)
    p.write("one/d/x.h", "#define X 2\n")
    p.compiles(VIOLATION, *words)
    shutil.rmtree(p.path("one/d"))
    p.hits(VERIFIED, *words)
    p.write("none/d/x.h", "#define X 2\n")
    p.compiles(VIOLATION, *words)


@test
def shadowed_beside_the_source(p):
    p.write("s/a.c", PROGRAM % '#include "x.h"')
    p.write("two/x.h", "#define X 1\n")
    words = ("s/a.c", "--", "-I", "two")
    p.compiles(VERIFIED, *words)
    p.hits(VERIFIED, *words)
    p.write("s/x.h", "#define X 2\n")
    p.compiles(VIOLATION, *words)


@test
def shadowed_beside_a_header(p):
    p.write("a.c", PROGRAM % "#include <y.h>")
    p.write("one/y.h", '#include "x.h"\n')
    p.write("two/x.h", "#define X 1\n")
    words = ("a.c", "--", "-I", "two", "-I", "one")
    p.compiles(VERIFIED, *words)
    p.hits(VERIFIED, *words)
    p.write("one/x.h", "#define X 2\n")
    p.compiles(VIOLATION, *words)


@test
def shadowed_by_a_link_that_comes_alive(p):
    p.write("a.c", PROGRAM % "#include <x.h>")
    p.write("two/x.h", "#define X 1\n")
    os.mkdir(p.path("one"))
    os.symlink(p.path("target.h"), p.path("one/x.h"))
    words = ("a.c", "--", "-I", "one", "-I", "two")
    p.compiles(VERIFIED, *words)
    p.hits(VERIFIED, *words)
    p.write("target.h", "#define X 2\n")
    p.compiles(VIOLATION, *words)


@test
def shadowed_where_a_folder_was(p):
    p.write("a.c", PROGRAM % "#include <x>")
    p.write("two/x", "#define X 1\n")
    os.makedirs(p.path("one/x"))
    time.sleep(2.2)
    words = ("a.c", "--", "-I", "one", "-I", "two")
    p.compiles(VERIFIED, *words)
    p.hits(VERIFIED, *words)
    os.rmdir(p.path("one/x"))
    p.write("one/x", "#define X 2\n")
    p.compiles(VIOLATION, *words)


@test
def has_include(p):
    ask = "#if %s\n#define X 2\n#else\n#define X 1\n#endif"
    p.write("a.c", PROGRAM % ask % '__has_include("y.h")')
    p.write("b.c", PROGRAM % ask % "defined __has_include && __has_include ( <d/y.h> ) // __has_include")
    p.compiles(VERIFIED, "a.c")
    p.hits(VERIFIED, "a.c")
    p.compiles(VERIFIED, "b.c", "--", "-Ione")
    p.hits(VERIFIED, "b.c", "--", "-Ione")
    p.write("y.h", "")
    p.write("one/d/y.h", "")
    p.compiles(VIOLATION, "a.c")
    p.hits(VIOLATION, "a.c")
    p.compiles(VIOLATION, "b.c", "--", "-Ione")
    os.remove(p.path("y.h"))
    p.hits(VERIFIED, "a.c")


@test
def has_include_in_other_words(p):
    """Nothing is kept if it is unclear what the program depends on."""
    for words in ("#define N <y.h>\n#if __has_include(N)\n#endif", "#define H __has_include\n#if H(<y.h>)\n#endif",
                  "#define P(a, b) a##b\n#if P(__has_, include)(<y.h>)\n#endif",
                  "#define P(a, b) a##b\n#if P(__, has_include)(<y.h>)\n#endif",
                  "#if __has_in\\\nclude(<y.h>)\n#endif", 'const char *c = "/*";\n#define H __has_include\nconst char *d = "*/";',
                  "#define S(x) #x\nconst char *s = S(1'0; /* ');\n#define H __has_include // ' */",
                  "// a comment \\\n /* \n#define H __has_include\n// */"):
        p.write("a.c", words + "\n" + PROGRAM % "#define X 1")
        status, compiled = p.run("a.c", "--", "-w")
        assert status == VERIFIED and compiled and p.run("a.c", "--", "-w") == (status, True), (words, status, p.errors)


# ---- what else a text can depend on ----

@test
def time_of_day(p):
    for word in ("__DATE__", "__TIME__", "__TIMESTAMP__"):
        p.write("a.c", PROGRAM % f"#define X 1\nconst char *s = {word};")
        p.never_kept(VERIFIED, "a.c")
    p.write("a.c", PROGRAM % "#define X 1\n#define P(a, b) a##b\nconst char *s = P(__DA, TE__);")
    p.never_kept(VERIFIED, "a.c")
    p.write("a.c", PROGRAM % "#define X 1\nconst char *s = S;")
    p.never_kept(VERIFIED, "a.c", "--", "-DS=__TIME__")
    p.write("a.c", PROGRAM % "#define X 1 /* not __TIME__ */")
    p.compiles(VERIFIED, "a.c")
    p.hits(VERIFIED, "a.c")


@test
def embedded(p):
    p.write("a.c", PROGRAM % 'const char X[] = {\n#embed "x.bin"\n};\n#define X X[0]')
    p.write("x.bin", "\x01")
    p.never_kept(VERIFIED, "a.c", "--", "-Wno-c23-extensions")
    p.write("x.bin", "\x02")
    p.compiles(VIOLATION, "a.c", "--", "-Wno-c23-extensions")


@test
def in_assembly(p):
    for directive in (".inc\" \"bin", ".INCBIN", ".include"):
        p.write("a.c", PROGRAM % f'#define X 1\n__asm__(".data\\n{directive} \\"x.bin\\"\\n.text");')
        p.write("x.bin", "# 1\n")
        first = p.run("a.c")
        assert first[1] and p.run("a.c") == first, directive
    p.write("a.c", PROGRAM % '#define X 1\nvoid f(void) { __asm__(".pushsection .rodata\\n.incbin \\"x.bin\\"\\n.popsection"); }')
    p.never_kept(VERIFIED, "a.c")
    p.write("a.c", PROGRAM % '#define X 1\n__asm__(".data\\nsomething: .long 1\\n.text");')
    first = p.run("a.c")
    assert first[1] and p.run("a.c") == (first[0], False)


# ---- the command ----

@test
def macros_on_the_command(p):
    p.write("a.c", PROGRAM % "")
    p.compiles(VERIFIED, "a.c", "--", "-DX=1")
    p.compiles(VIOLATION, "a.c", "--", "-DX=2")
    p.hits(VERIFIED, "a.c", "--", "-DX=1")


@test
def included_by_the_command(p):
    for flag in ("-include", "-imacros"):
        p.write("a.c", PROGRAM % "")
        p.write("d/x.h", "#define X 1\n")
        words = ("a.c", "--", flag, "x.h", "-I", "d")
        p.compiles(VERIFIED, *words)
        p.hits(VERIFIED, *words)
        p.write("d/x.h", "#define X 2\n")
        p.compiles(VIOLATION, *words)
        p.write("d/x.h", "#define X 1\n")
        p.hits(VERIFIED, *words)
        p.write("x.h", "#define X 2\n")
        p.compiles(VIOLATION, *words)
        os.remove(p.path("x.h"))


@test
def precompiled(p):
    p.write("a.c", PROGRAM % "")
    p.write("x.h", "#define X 1\n")
    words = ("a.c", "--", "-include", "x.h")
    p.compiles(VERIFIED, *words)
    p.hits(VERIFIED, *words)
    p.write("x.h.pch", "no such thing")
    status, compiled = p.run(*words)
    assert compiled and p.run(*words) == (status, True)
    p.never_kept(VERIFIED, "a.c", "--", "-fmodules", "-DX=1")


@test
def response_file(p):
    p.write("a.c", PROGRAM % "")
    p.write("flags", "-DX=1")
    p.compiles(VERIFIED, "a.c", "--", "@flags")
    p.write("flags", "-DX=2")
    p.compiles(VIOLATION, "a.c", "--", "@flags")


@test
def flags_with_side_effects(p):
    p.write("a.c", PROGRAM % "#define X 1")
    for words in (["-MD", "-MF", "out.d"], ["-MMD", "-MFout.d"], ["-Wp,-MD,out.d"]):
        for _ in range(2):
            p.compiles(VERIFIED, "a.c", "--", *words)
            os.remove(p.path("out.d"))  # it was written each time
    p.never_kept(VERIFIED, "a.c", "--", "-march=native")


@test
def environment(p):
    p.write("a.c", PROGRAM % "#include <x.h>")
    p.write("one/x.h", "#define X 1\n")
    p.write("two/x.h", "#define X 2\n")
    for name in ("CPATH", "C_INCLUDE_PATH"):
        p.environment[name] = p.path("one")
        p.compiles(VERIFIED, "a.c")
        p.hits(VERIFIED, "a.c")
        p.environment[name] = p.path("two") + ":" + p.path("one")
        p.compiles(VIOLATION, "a.c")
        del p.environment[name]
    p.compiles(USAGE, "a.c")
    p.environment["CCC_OVERRIDE_OPTIONS"] = "+-I" + p.path("one")
    p.compiles(VERIFIED, "a.c")
    p.environment["CCC_OVERRIDE_OPTIONS"] = "+-I" + p.path("two")
    p.compiles(VIOLATION, "a.c")
    del p.environment["CCC_OVERRIDE_OPTIONS"]
    p.write("a.c", PROGRAM % "#define X 1")
    p.compiles(VERIFIED, "a.c")
    p.environment["LANG"] = "de_DE.UTF-8"
    p.hits(VERIFIED, "a.c")


@test
def other_programs(p):
    """Another linchpin, or the same one built again, uses nothing of the first."""
    p.write("a.c", PROGRAM % "#define X 1")
    p.compiles(VERIFIED, "a.c")
    other = p.path("bin/linchpin")
    os.makedirs(p.path("bin"))
    shutil.copy2(LINCHPIN, other)
    os.symlink(os.path.join(os.path.dirname(LINCHPIN), "linchpin-fe"), p.path("bin/linchpin-fe"))
    p.compiles(VERIFIED, "a.c", linchpin=other)
    p.hits(VERIFIED, "a.c", linchpin=other)
    os.utime(other)
    p.compiles(VERIFIED, "a.c", linchpin=other)
    os.remove(p.path("bin/linchpin-fe"))  # clang may be part of it
    shutil.copy2(os.path.join(os.path.dirname(LINCHPIN), "linchpin-fe"), p.path("bin/linchpin-fe"))
    p.compiles(VERIFIED, "a.c", linchpin=other)
    p.hits(VERIFIED, "a.c", linchpin=other)
    os.utime(p.path("bin/linchpin-fe"))
    p.compiles(VERIFIED, "a.c", linchpin=other)
    p.write("clang-wrapped", '#!/bin/sh\nexec clang-19 "$@"\n')
    os.chmod(p.path("clang-wrapped"), 0o755)
    p.write("wrapper.c", '#include <unistd.h>\nint main(int n, char **v) { (void)n; return execvp("clang-19", v); }\n')
    subprocess.run(["cc", "-o", "wrapper", "wrapper.c"], cwd=p.folder, check=True)
    os.symlink("wrapper", p.path("clang-masked"))
    time.sleep(2.2)  # or the folder would be too young
    p.never_kept(VERIFIED, "--cc", p.path("clang-wrapped"), "a.c")
    p.never_kept(VERIFIED, "--cc", p.path("clang-masked"), "a.c")


@test
def objects(p):
    """What `linchpin cc` has made is an input like others."""
    def make(x):
        p.write("f.c", f"int f(void) {{ return {x}; }}\n")
        status, _ = p.run("-c", "f.c", "-o", "f.o", command="cc")
        assert status == 0, p.errors
        subprocess.run(["ar", "rcs", "libf.a", "f.o"], cwd=p.folder, check=True)
        time.sleep(0.03)

    p.write("a.c", "#include <assert.h>\nint f(void);\nint main(void) { assert(f() == 1); return 0; }\n")
    os.mkdir(p.path("none"))
    make(1)
    kinds = (["f.o"], ["libf.a"], ["-Lnone", "-L.", "-lf"])
    for words in kinds:
        p.compiles(VERIFIED, "a.c", "--", *words)
        p.hits(VERIFIED, "a.c", "--", *words)
    make(2)
    for words in kinds:
        p.compiles(VIOLATION, "a.c", "--", *words)
    os.utime(p.path("f.o"), (time.time() + 1000, time.time() + 1000))  # as if it were made right now
    p.never_kept(VIOLATION, "a.c", "--", "f.o", "-DF")
    subprocess.run(["ar", "rcsT", "thin.a", "f.o"], cwd=p.folder, check=True)
    p.compiles(VIOLATION, "a.c", "--", "thin.a")
    shutil.copy(p.path("libf.a"), p.path("none/libf2.a"))
    make(1)
    p.compiles(VERIFIED, "a.c", "--", "thin.a")
    p.hits(VERIFIED, "a.c", "--", "-Lnone", "-L.", "-lf")
    os.rename(p.path("none/libf2.a"), p.path("none/libf.a"))
    p.compiles(VIOLATION, "a.c", "--", "-Lnone", "-L.", "-lf")


@test
def unseen_parts(p):
    """What prevents "verified" does so the second time, too."""
    p.write("a.c", "int f(void);\nint main(void) { return f() - 1; }\n")
    p.write("f.c", "int f(void) { return 1; }\n")
    p.write("g.c", "int g(void) { return 1; }\n")
    assert p.run("-c", "f.c", "-o", "f.o", command="cc")[0] == 0
    subprocess.run(["cc", "-c", "g.c"], cwd=p.folder, check=True)
    subprocess.run(["ld", "-r", "-o", "both.o", "f.o", "g.o"], cwd=p.folder, check=True)
    time.sleep(0.03)
    p.compiles(3, "a.c", "--", "both.o")
    assert "not compiled by" in p.output + p.errors, p.output
    p.hits(3, "a.c", "--", "both.o")
    assert "not compiled by" in p.output + p.errors, p.output


@test
def own_specification(p):
    """It is compiled a second time, without hooks."""
    here = os.path.dirname(os.path.abspath(__file__))
    shutil.copy(os.path.join(here, "../../docs/specifications/flags.c"), p.path("flags.c"))
    time.sleep(0.03)
    p.compiles(VERIFIED, "flags.c", "--", "-DLOCKED", command="check")
    assert len([path for path in p.files() if path.endswith(".so")]) == 2, p.files()
    p.hits(VERIFIED, "flags.c", "--", "-DLOCKED", command="check")


# ---- what is printed ----

@test
def warnings(p):
    p.write("a.c", PROGRAM % "#define X 1\nint f(void) { }")
    p.compiles(VERIFIED, "a.c")
    first = p.errors
    assert "a.c:3:15: warning: non-void function" in first and "search list" not in first, first
    p.hits(VERIFIED, "a.c")
    assert p.errors == first, p.errors
    p.environment["LINCHPIN_CACHE"] = "off"
    p.compiles(VERIFIED, "a.c")
    assert p.errors == first, p.errors


@test
def errors(p):
    p.write("a.c", "int main(void) { return X; }\n#include <none.h>\n")
    p.compiles(USAGE, "a.c")
    first = p.errors + p.output
    assert "use of undeclared identifier 'X'" in first and "search list" not in first, first
    p.compiles(USAGE, "a.c")
    assert p.errors + p.output == first
    assert not p.files(), p.files()


# ---- where it is kept ----

@test
def damaged(p):
    """Files that are cut off, or in which a bit is wrong, are replaced."""
    p.write("a.c", PROGRAM % "#define X 1")
    p.compiles(VERIFIED, "a.c")
    kinds = sorted(os.path.splitext(path)[1] for path in p.files())
    assert [kind for kind in kinds if kind != ".headers"] == [".list", ".so"], p.files()
    ways = (lambda b: b"", lambda b: b[:10], lambda b: b[:-1], lambda b: b[:len(b) // 2], lambda b: b + b"x",
            lambda b: b[:1000] + bytes(c ^ 1 for c in b[1000:1001]) + b[1001:])
    for kind in kinds:
        for number, damage in enumerate(ways):
            for path in p.files():
                if path.endswith(kind):
                    with open(path, "rb") as whole:
                        contents = whole.read()
                    with open(path, "wb") as out:
                        out.write(damage(contents))
            if kind == ".headers":  # what is known of headers, for programs to come
                p.write("a.c", PROGRAM % f"#define X 1\nint unused{number};")
            p.compiles(VERIFIED, "a.c")
            p.hits(VERIFIED, "a.c")
        for path in p.files():
            if path.endswith((".list", ".so")):
                os.remove(path)
        p.compiles(VERIFIED, "a.c")


@test
def owners(p):
    p.write("a.c", PROGRAM % "#define X 1")
    p.compiles(VERIFIED, "a.c")
    assert stat.S_IMODE(os.stat(p.cache).st_mode) == 0o700
    for kind in (".list", ".so"):
        for spoil in (lambda path: os.chmod(path, 0o620), lambda path: os.geteuid() or os.chown(path, 12345, -1)):
            for path in p.files():
                assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
                if path.endswith(kind):
                    spoil(path)
            if [path for path in p.files() if os.stat(path).st_uid == os.geteuid() and
                    os.stat(path).st_mode & 0o077 == 0 and path.endswith(kind)]:
                continue  # only root can give files away
            p.compiles(VERIFIED, "a.c")
            p.hits(VERIFIED, "a.c")
            for path in p.files():
                if os.stat(path).st_mode & 0o077 or os.stat(path).st_uid != os.geteuid():
                    os.remove(path)
    os.chmod(p.cache, 0o770)
    p.never_kept(VERIFIED, "a.c")
    os.chmod(p.cache, 0o700)
    p.hits(VERIFIED, "a.c")
    os.rename(p.cache, p.cache + "2")
    os.symlink(p.cache + "2", p.cache)
    p.never_kept(VERIFIED, "a.c")


@test
def places(p):
    p.write("a.c", PROGRAM % "#define X 1")
    del p.environment["LINCHPIN_CACHE"]
    p.environment.pop("XDG_CACHE_HOME", None)
    p.environment["HOME"] = p.path("home")
    p.never_kept(VERIFIED, "a.c")  # there is no such folder
    assert not p.errors, p.errors
    os.mkdir(p.path("home"))
    p.compiles(VERIFIED, "a.c")
    p.hits(VERIFIED, "a.c")
    assert os.listdir(p.path("home/.cache")) == ["linchpin"]
    p.environment["XDG_CACHE_HOME"] = p.path("xdg")
    p.compiles(VERIFIED, "a.c")
    p.hits(VERIFIED, "a.c")
    assert os.listdir(p.path("xdg")) == ["linchpin"]
    del p.environment["HOME"], p.environment["XDG_CACHE_HOME"]
    p.never_kept(VERIFIED, "a.c")
    assert not p.errors, p.errors


@test
def switches(p):
    p.write("a.c", PROGRAM % "#define X 1")
    p.never_kept(VERIFIED, "--no-compile-cache", "a.c")
    assert not p.files()
    p.compiles(VERIFIED, "a.c")
    p.hits(VERIFIED, "a.c")
    p.compiles(VERIFIED, "--no-compile-cache", "a.c")
    p.environment["LINCHPIN_CACHE"] = "off"
    p.compiles(VERIFIED, "a.c")


@test
def at_the_same_time(p):
    for round_ in range(4):
        p.write("a.c", PROGRAM % f"#define X 1\nint unused{round_};")
        all_ = [subprocess.Popen([LINCHPIN, "run", "-q", "a.c"], cwd=p.folder, env=p.environment,
                                 stdout=subprocess.DEVNULL) for _ in range(6)]
        assert [process.wait() for process in all_] == [VERIFIED] * 6
        p.hits(VERIFIED, "a.c")
    assert not [path for path in p.files() if "new-" in path]


@test
def size_that_is_none(p):
    """The mistake is reported once, and the default bound holds."""
    p.write("a.c", PROGRAM % "#define X 1")
    for text in ("banana", "1x", "-5", " 7", "1e3", "99999999999999999999"):
        p.environment["LINCHPIN_CACHE_SIZE"] = text
        p.run("a.c")
        note = f"note: LINCHPIN_CACHE_SIZE is '{text}', not a number of megabytes: 512 are used\n"
        assert p.errors == note, p.errors
    p.hits(VERIFIED, "a.c")
    for text in ("", "512", "007"):
        p.environment["LINCHPIN_CACHE_SIZE"] = text
        p.hits(VERIFIED, "a.c")
        assert not p.errors, p.errors


@test
def size(p):
    """The files stay below the bound, and those that are used stay."""
    p.environment["LINCHPIN_CACHE_SIZE"] = "3"  # a shard has 48 KB
    for i in range(24):
        p.write("a.c", PROGRAM % f"#define X 1\nint unused{i};\nchar data[] = \"{'x' * 4000}\";")
        p.compiles(VERIFIED, "a.c")
    p.hits(VERIFIED, "a.c")
    for shard in os.listdir(p.cache + "/1"):
        folder = os.path.join(p.cache, "1", shard)
        total = sum(os.stat(os.path.join(folder, name)).st_blocks * 512 for name in os.listdir(folder))
        assert total <= 48 << 10, (shard, total)
    shard = os.path.dirname(p.files()[0])
    for i in range(5):  # what was not used for the longest time goes first
        with open(f"{shard}/filler{i}", "wb") as out:
            out.write(b"x" * 16384)
        os.utime(f"{shard}/filler{i}", (i, i))
    for i in range(100, 400):
        p.write("a.c", PROGRAM % f"#define X 1\nint unused{i};")
        p.compiles(VERIFIED, "a.c")
        if not os.path.exists(f"{shard}/filler0"):
            break
    assert not os.path.exists(f"{shard}/filler0")


def main():
    global LINCHPIN
    LINCHPIN = os.path.realpath(sys.argv[1])
    only = sys.argv[3] if sys.argv[2:3] == ["--only"] else None
    failed = 0
    for function in TESTS:
        if only and only != function.__name__:
            continue
        with tempfile.TemporaryDirectory() as root:
            try:
                function(Place(os.path.realpath(root), LINCHPIN))
            except AssertionError as error:
                failed += 1
                print(f"{function.__name__}: {error}")
    print(f"{len(TESTS)} tests, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
