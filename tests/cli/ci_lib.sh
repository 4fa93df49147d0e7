# ci_lib.sh -- for ci.sh and many.sh: objects to check, and functions that check the two kinds of reports.
. "$here/lib.sh"

# Names with characters that must be escaped in XML, in URIs and in annotations.
mkdir 'a b' sub
cat >'a b/lib%,<&>.h' <<'C'
static atomic_int n;
static void bump(void)
{
#ifdef RACE
	static int plain;
	plain++;
#endif
#ifdef BUG
	atomic_store(&n, atomic_load(&n) + 1);
#else
	atomic_fetch_add(&n, 1);
#endif
}
C
cat >counter.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
#include "a b/lib%,<&>.h"
LP_SPEC("counter")
LP_METHOD(increment) { bump(); return LP_VOID; }
LP_METHOD(read) { return atomic_load(&n); }
C
(echo '#define BUG'; sed 's/"a b/"..\/a b/' counter.c) >sub/bug.c
(echo '#define RACE'; sed 's/"a b/"..\/a b/' counter.c) >sub/race.c
echo 'int x = not_declared;' >broken.c
cat >program.c <<'C'
#include <assert.h>
int main(void) { assert(!"this & <that>"); return 0; }
C

# sarif_is LINE...: the log is valid, and its results are these.
sarif_is() {
	printf '%s\n' "$@" >want
	python3 "$here/sarif.py" log.sarif >got 2>&1 || fail "not SARIF: $(cat got)"
	diff want got >.diff || fail "the log is another: $(cat .diff)"
}
# junit_is TESTS FAILURES ERRORS: the file is well-formed, and the sums are those of the cases.
junit_is() {
	python3 - "$@" >got 2>&1 <<'P' || fail "not JUnit's: $(cat got)"
import re, sys, xml.etree.ElementTree as tree
root = tree.parse("log.xml").getroot()
suite = root.find("testsuite")
cases = suite.findall("testcase")
sums = [len(cases)] + [sum(c.find(k) is not None for c in cases) for k in ("failure", "error")]
for element in (root, suite):
    assert [int(element.get(k)) for k in ("tests", "failures", "errors")] == sums, sums
    assert re.fullmatch(r"\d+\.\d+", element.get("time"))
# The elements that Jenkins's schema allows (junit-10.xsd of its xUnit plugin), as far as linchpin uses them.
allowed = {"testsuites": {"name", "tests", "failures", "errors", "time"}, "testcase": {"name", "classname", "time"},
           "testsuite": {"name", "tests", "failures", "errors", "time", "skipped"}, "failure": {"type", "message"},
           "error": {"type", "message"}, "system-out": set()}
for element in root.iter():
    assert set(element.keys()) <= allowed[element.tag], (element.tag, element.keys())
for c in cases:
    assert c.get("name") and c.get("classname") and float(c.get("time")) >= 0
    assert len(c) == 1 and c[0].text, "a case says one thing"
    assert c[0].tag == "system-out" or (c[0].get("type") and c[0].get("message"))
assert sums == [int(a) for a in sys.argv[1:]], sums
P
}
