#!/usr/bin/env bash
# usage.sh LINCHPIN -- bad usage and bad input: status 2 and one clear line.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

cat >good.c <<'C'
int main(void) { return 0; }
C
cat >broken.c <<'C'
int main(void) { return not_declared; }
C
cat >nomain.c <<'C'
int f(void) { return 1; }
C
cat >flag.c <<'C'
#ifndef WANTED
#error WANTED is not defined
#endif
int main(void) { return 0; }
C
mkdir folder.c
echo 'hello' >notes.txt

# Commands.
expect 2; says "no command"; alone
expect 2 frobnicate; says "unknown command 'frobnicate'"; alone
expect 2 help frobnicate; says "unknown command 'frobnicate'"; alone
expect 2 --frobnicate; says "unknown command '--frobnicate'"; alone
expect 2 frobnicate --json; says "frobnicate"; json_has '"verdict":"error"'
expect 0 --help; out_has "linchpin run"; err_empty
expect 0 --version; out_has "linchpin "; err_empty
expect 0 run --help; out_has "--model sc|tso|ra|rc11"; err_empty
expect 0 help; out_has "linchpin run"; err_empty
expect 0 help run; out_has "--model sc|tso|ra|rc11"; err_empty
expect 0 run --version; out_has "linchpin "; err_empty

# Options.
expect 2 run good.c --frobnicate; says "unknown option '--frobnicate'"; alone
expect 2 run good.c --frobnicate=3; says "unknown option"; alone
expect 2 run good.c -x; says "unknown option '-x'"; alone
expect 2 run good.c -qx; says "unknown option '-qx'"; alone
expect 2 run good.c --model; says "--model' takes an argument"; alone
expect 2 run good.c --model -- -O2; says "--model' takes an argument"; alone
expect 2 check good.c --formulae --model sc; says "option '--formulae' takes an argument: FILE; '--model' is an option"; alone
expect 2 run good.c --model powerpc; says "--model takes one of sc|tso|ra|rc11, not 'powerpc'"; alone
expect 2 run good.c --model=; says "--model takes one of"; alone
expect 2 run good.c --model=rc1; says "not 'rc1'"; alone
expect 2 run good.c --races maybe; says "--races takes one of"; alone
expect 2 run good.c --invalid-orders maybe; says "--invalid-orders takes one of"; alone
expect 2 run good.c --release-sequences c17; says "--release-sequences takes one of"; alone
expect 2 run good.c --races ignore; says "requires --model sc or tso"; alone
expect 2 run good.c --races=ignore --model ra; says "requires --model sc or tso"; alone
expect 2 run good.c --json=yes; says "takes no argument"
expect 2 run good.c --executions 0; says "--executions takes a number from 1"; alone
expect 2 run good.c --executions x; says "--executions takes a whole number, not 'x'"; alone
expect 2 run good.c --executions -5; says "not '-5'"; alone
expect 2 run good.c --executions 99999999999999999999; says "--executions takes a number"; alone
expect 2 run good.c --nondet 5; says "--nondet takes LO..HI"; alone
expect 2 run good.c --nondet 5..4; says "--nondet takes LO..HI"; alone
expect 2 run good.c --nondet=0..99999999; says "more than a million"; alone
expect 2 run good.c --cc ''; says "--cc takes an argument"; alone
expect 2 run good.c --cc no-such-compiler; says "no-such-compiler"
expect 2 run good.c --time 0; says "--time takes a number of seconds"; alone
expect 2 run good.c --time nan; says "--time takes"; alone
expect 2 run good.c --time 1x; says "not '1x'"; alone

# Files.
expect 2 run; says "no program given"; alone
expect 2 run good.c good.c; says "one program"; alone
expect 2 run missing.c; says "cannot read 'missing.c': No such file"; alone
expect 2 run folder.c; says "'folder.c': it is a directory"; alone
expect 2 run notes.txt; says "notes.txt"; alone
expect 2 run ''; says "cannot read ''"; alone
expect 2 run broken.c; says "the compiler 'clang-19' failed"; err_has not_declared
expect 2 run nomain.c; says "main"
expect 2 run good.c -- --no-such-compiler-flag; says "the compiler"; err_has no-such-compiler-flag
expect 2 run flag.c; says "the compiler"; err_has "WANTED is not defined"
expect 0 run flag.c -q -- -DWANTED; err_empty
expect 0 run -q flag.c -- -DWANTED -O2; err_empty

# The same for scripts, as JSON.
expect 2 run missing.c --json; says "missing.c"; json_has '"verdict":"error"'
expect 2 run --json broken.c; json_has '"verdict":"error"'
expect 2 run --json --frobnicate; says "--frobnicate"; json_has '"verdict":"error"'
expect 2 run good.c -- --json; out_lacks verdict

# A file without read permission: root can read everything, so the test drops root's privileges.
chmod 000 good.c
chmod 755 .
if [ "$(id -u)" != 0 ]; then
	expect 2 run good.c; says "cannot read 'good.c': Permission denied"; alone
elif as="setpriv --reuid=65534 --regid=65534 --clear-groups" &&
     (: >.out; : >.err; chmod 666 .out .err) && $as test -x "$linchpin" 2>/dev/null; then
	expect 2 run good.c; says "cannot read 'good.c': Permission denied"; alone
else
	echo "skipped: a file that may not be read (cannot step down from root)"
fi
finish
