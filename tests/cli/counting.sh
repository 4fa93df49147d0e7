#!/usr/bin/env bash
# counting.sh LINCHPIN -- formulae and grammars on counts: for objects, and the output of `counting`.
. "$(cd "$(dirname "$0")" && pwd)/lib.sh"

cat >register.c <<'END'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_long top;
static atomic_long item[8];
LP_SPEC("stack")
LP_METHOD(push, v) { const long t = atomic_load(&top); atomic_store(&item[t], v); atomic_store(&top, t + 1); return 1; }
LP_METHOD(pop)
{
	const long t = atomic_load(&top);
	if (!t)
		return LP_EMPTY;
	atomic_store(&top, t - 1);
	return atomic_load(&item[t - 1]);
}
END
cat >twice.ocl <<'END'
violation twice = exists y: pop(y) and HasVal(y) and sum i in 0..k: sum j in i..k: #(y, i, j) > 1;
END
cat >one.ocl <<'END'
require one = sum i in 0..k: sum j in i..k: #(<push(1)>, i, j) <= 0;
END
cat >pushes.g <<'END'
S -> | <push(1)> S | <push(2)> S | <pop => empty> S | <pop => 1> S | <pop => 2> S;
END

# Objects.
expect 1 check register.c --model sc --ak 0 --formulae twice.ocl; out_has "violation: not as demanded"
out_has "'twice.ocl' does not allow these counts: twice: pop => 1"
expect 0 check register.c --model sc --ak 0 --formulae twice.ocl --ops 2
out_has "A_0 has the counts that 'twice.ocl' demands, for every client of up to 2 calls"
expect 1 check register.c --model sc --ak 2 --formulae one.ocl; out_has "one"
expect 0 check register.c --model sc --ak 2 --grammar pushes.g --ops push=1,pop=2; err_empty
expect 1 check register.c --model sc --ak 2 --grammar pushes.g --ops push=3; out_has "no word of the grammar has these counts"
expect 1 check register.c --model sc --ak 0 --formulae twice.ocl --json; json_has '"kind":"not as demanded"'
expect 2 check register.c --model sc --formulae twice.ocl; says "formulae and grammars require --ak K: 'twice.ocl'"; alone
expect 2 check register.c --ak 1 --formulae twice.ocl; says "--ak requires --model sc"; alone
expect 2 check register.c --model sc --ak 1 --formulae twice.ocl --grammar pushes.g; says "exclude each other"; alone
expect 2 check register.c --model sc --ak 1 --formulae none.ocl; says "cannot open 'none.ocl'"; alone
echo 'violation v = frob(x);' >bad.ocl
expect 2 check register.c --model sc --ak 1 --formulae bad.ocl; says "bad.ocl:1:"; alone

# The formula of a grammar.
expect 0 counting --spec lock --ak 0; err_empty; out_has "Psi of a lock, k = 0"
out_has "#(<trylock => pending>, 0, 0) >= c6 + c7"; out_has "r1 + r2 + r3 = r5 + e0"
expect 0 counting pushes.g --spec stack --ak 1 --json; json_has '"kind":"stack","k":1'; err_empty
expect 0 counting --spec rwlock --ak 2; out_has "k = 2"
expect 2 counting --spec queue; says "no grammar is known for a queue"; alone
expect 2 counting pushes.g; says "give --spec KIND"; alone
expect 2 counting pushes.g pushes.g --spec stack; says "takes one grammar"; alone
expect 2 counting none.g --spec stack; says "cannot open 'none.g'"; alone
expect 2 counting pushes.g --spec lock; says "pushes.g:1:"; alone
expect 2 counting --spec rwlock --ak 64; says "more than"; alone
expect 2 counting --spec rwlock --ak 64 --json; json_has '"verdict":"error"'
echo 'S -> ' >bad.g
expect 2 counting bad.g --spec lock; says "bad.g:2:1: expected a name"; alone
finish
