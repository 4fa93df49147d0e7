/* snippets_arm.c -- inline assembly of aarch64, in the forms that libraries with atomics of their own use. */
#include "snippets.h"

#include <stdbool.h>

#define M (s->mem[8])
#define AS(type) (*(type *)&s->mem[8])
#define IN(type, i) ((type)s->in[i])
#define EXPECTED(type) ((type)(s->in[3] & 1 ? AS(type) : s->in[0]))

static void barriers(struct state *s)
{
	uint64_t hidden = s->in[0];

	__asm__ __volatile__("" ::: "memory");
	__asm__("" : "+r"(hidden));
	__asm__ __volatile__("dmb ish" : : "r"(0) : "memory");
	__asm__ __volatile__("dmb ishld" ::: "memory");
	__asm__ __volatile__("dsb sy" ::: "memory");
	__asm__ __volatile__("isb" ::: "memory");
	__asm__ __volatile__("yield" ::: "memory");
	__asm__ __volatile__("sev; wfe // wakes itself" ::: "memory");
	__asm__ __volatile__("prfm pstl1strm, %0" : : "Q"(M));
	s->out[0] = hidden;
}

/* ---- loads and stores ---- */

#define ACCESS(name, type, w, suffix)                                                         \
	static void access_##name(struct state *s)                                            \
	{                                                                                     \
		uint64_t r;                                                                   \
		type v = IN(type, 0);                                                         \
		__asm__ __volatile__("ldr" suffix " %" w "0, [%1]\n"                          \
				     : "=r"(r) : "r"(&M) : "memory");                         \
		s->out[0] = r;                                                                \
		__asm__ __volatile__("ldar" suffix " %" w "0, %1"                             \
				     : "=r"(r) : "Q"(AS(type)) : "memory");                   \
		s->out[1] = r;                                                                \
		__asm__ __volatile__("str" suffix " %" w "2, [%1, #8]"                        \
				     : "=m"(s->mem[9]) : "r"(&M), "r"(v) : "memory");         \
		__asm__ __volatile__("stlr" suffix " %" w "1, %0"                             \
				     : "=Q"(AS(type)) : "rZ"(IN(type, 1)) : "memory");        \
	}
ACCESS(8, uint8_t, "w", "b")
ACCESS(16, uint16_t, "w", "h")
ACCESS(32, uint32_t, "w", "")
ACCESS(64, uint64_t, "x", "")

/* ---- exclusive ones ---- */

#define LOOP(op, name, type, w, suffix, a, l)                                                 \
	static void op##_##name(struct state *s)                                              \
	{                                                                                     \
		type result;                                                                  \
		uint32_t tmp;                                                                 \
		__asm__ __volatile__("	prfm	pstl1strm, %2\n"                              \
				     "1:	ld" a "xr" suffix "	%" w "0, %2\n"        \
				     "	" #op "	%" w "0, %" w "0, %" w "3\n"                  \
				     "	st" l "xr" suffix "	%w1, %" w "0, %2\n"           \
				     "	cbnz	%w1, 1b\n"                                    \
				     "	dmb	ish"                                          \
				     : "=&r"(result), "=&r"(tmp), "+Q"(AS(type))              \
				     : "r"(IN(type, 0)) : "memory");                          \
		s->out[0] = result;                                                           \
		s->out[1] = tmp;                                                              \
	}                                                                                     \
	static void fetch_##op##_##name(struct state *s)                                      \
	{                                                                                     \
		type result;                                                                  \
		uint64_t made;                                                                \
		uint32_t tmp;                                                                 \
		__asm__ __volatile__("1:	ld" a "xr" suffix "	%" w "0, [%3]\n"      \
				     "	" #op "	%" w "1, %" w "0, #1\n"                       \
				     "	st" l "xr" suffix "	%w2, %" w "1, [%3]\n"         \
				     "	cbnz	%w2, 1b\n"                                    \
				     : "=&r"(result), "=&r"(made), "=&r"(tmp)                 \
				     : "r"(&M) : "memory", "cc");                             \
		s->out[0] = result;                                                           \
		s->out[1] = made;                                                             \
	}
#define LOOPS(op)                                   \
	LOOP(op, 8, uint8_t, "w", "b", "", "")      \
	LOOP(op, 16, uint16_t, "w", "h", "a", "")   \
	LOOP(op, 32, uint32_t, "w", "", "", "l")    \
	LOOP(op, 64, uint64_t, "x", "", "a", "l")
LOOPS(add)
LOOPS(sub)
LOOPS(and)
LOOPS(orr)
LOOPS(eor)

static void bic(struct state *s)
{
	uint64_t result;
	uint32_t tmp;

	__asm__ __volatile__("1: ldxr %0, %2; bic %0, %0, %3; stxr %w1, %0, %2; cbnz %w1, 1b"
			     : "=&r"(result), "=&r"(tmp), "+Q"(M) : "r"(s->in[0]));
	s->out[0] = result;
}

static void not(struct state *s)
{
	uint32_t old, made, failed;

	__asm__ __volatile__("0: ldaxr %w[old], %[at]; mvn %w[made], %w[old]; stxr %w[failed], %w[made], %[at];"
			     "cbnz %w[failed], 0b"
			     : [old] "=&r"(old), [made] "=&r"(made), [failed] "=&r"(failed), [at] "+Q"(AS(uint32_t)));
	s->out[0] = old;
	s->out[1] = made;
}

#define EXCHANGE(name, type, w, suffix)                                                       \
	static void swap_##name(struct state *s)                                              \
	{                                                                                     \
		type old;                                                                     \
		uint32_t failed;                                                              \
		__asm__ __volatile__("5: ldaxr" suffix " %" w "[old], %[at]; "                \
				     "stxr" suffix " %w[failed], %" w "[to], %[at]; cbnz %w[failed], 5b" \
				     : [failed] "=&r"(failed), [old] "=&r"(old), [at] "+Q"(AS(type)) \
				     : [to] "r"(IN(type, 0)) : "memory");                     \
		s->out[0] = old;                                                              \
		s->out[1] = failed;                                                           \
	}
EXCHANGE(8, uint8_t, "w", "b")
EXCHANGE(16, uint16_t, "w", "h")
EXCHANGE(32, uint32_t, "w", "")
EXCHANGE(64, uint64_t, "x", "")

static void clear(struct state *s)
{
	uint64_t previous;
	uint32_t tmp;

	__asm__ __volatile__("1: ldaxr %0, %2\n stlxr %w1, xzr, %2\n cbnz %w1, 1b"
			     : "=&r"(previous), "=&r"(tmp), "+Q"(M) : : "memory");
	s->out[0] = previous;
}

#define CAS(name, type, w)                                                                    \
	static void cas_compare_##name(struct state *s)                                       \
	{                                                                                     \
		type seen;                                                                    \
		uint32_t failed;                                                              \
		__asm__ __volatile__("3: ldxr %" w "[seen], %[at]; cmp %" w "[from], %" w "[seen]; b.ne 4f; " \
				     "stlxr %w[failed], %" w "[to], %[at]; cbnz %w[failed], 3b; 4:" \
				     : [seen] "=&r"(seen), [failed] "=&r"(failed), [at] "+Q"(AS(type)) \
				     : [from] "r"(EXPECTED(type)), [to] "r"(IN(type, 1)) : "cc", "memory"); \
		s->out[0] = seen;                                                             \
	}                                                                                     \
	static void cas_differs_##name(struct state *s)                                         \
	{                                                                                     \
		type old;                                                                     \
		uint64_t tmp;                                                                 \
		__asm__ __volatile__("	prfm	pstl1strm, %[v]\n"                            \
				     "1:	ldaxr	%" w "[oldval], %[v]\n"               \
				     "	eor	%" w "[tmp], %" w "[oldval], %" w "[old]\n"   \
				     "	cbnz	%" w "[tmp], 2f\n"                            \
				     "	stlxr	%w[tmp], %" w "[new], %[v]\n"                 \
				     "	cbnz	%w[tmp], 1b\n"                                \
				     "2:"                                                     \
				     : [tmp] "=&r"(tmp), [oldval] "=&r"(old), [v] "+Q"(AS(type)) \
				     : [old] "r"(EXPECTED(type)), [new] "r"(IN(type, 1))      \
				     : "memory");                                             \
		s->out[0] = old;                                                              \
		s->out[1] = tmp == 0;                                                         \
	}                                                                                     \
	static void cas_flag_##name(struct state *s)                                          \
	{                                                                                     \
		type previous, tmp;                                                           \
		uint32_t good;                                                                \
		bool again;                                                                   \
		__asm__ __volatile__("1: ldaxr %" w "0, %3\n"                                 \
				     "cmp %" w "0, %" w "6\n"                                 \
				     "bne 2f\n"                                               \
				     "stlxr %w1, %" w "5, %3\n"                               \
				     "cbnz %w1, 1b\n"                                         \
				     "2: cset %w2, eq"                                        \
				     : "=&r"(previous), "=&r"(tmp), "=&r"(good), "+Q"(AS(type)), \
				       "=@cceq"(again)                                        \
				     : "r"(IN(type, 1)), "r"(EXPECTED(type)) : "memory", "cc"); \
		s->out[0] = previous;                                                         \
		s->out[1] = good;                                                             \
		s->out[2] = again;                                                            \
	}
CAS(32, uint32_t, "w")
CAS(64, uint64_t, "x")

static void cas_pair(struct state *s)
{
	uint64_t low, high;
	uint32_t done;

	__asm__ __volatile__("7: ldaxp %[low], %[high], [%[at]]; mov %w[done], #0;"
			     "eor %[high], %[high], %[high0]; eor %[low], %[low], %[low0]; orr %[low], %[low], %[high];"
			     "cbnz %[low], 8f; stlxp %w[done], %[low1], %[high1], [%[at]]; cbnz %w[done], 7b;"
			     "mov %w[done], #1; 8:"
			     : [low] "=&r"(low), [high] "=&r"(high), [done] "=&r"(done)
			     : [at] "r"(&M), [low0] "r"(EXPECTED(uint64_t)),
			       [high0] "r"(s->in[3] & 2 ? s->mem[9] : s->in[1]), [low1] "r"(s->in[1]),
			       [high1] "r"(s->in[2])
			     : "memory");
	s->out[0] = done;
}

static void load_pair(struct state *s)
{
	uint32_t tmp;

	__asm__ __volatile__("1: ldxp %0, %1, [%3]; stxp %w2, %0, %1, [%3]; cbnz %w2, 1b"
			     : "=&r"(s->out[0]), "=&r"(s->out[1]), "=&r"(tmp) : "r"(&M) : "memory");
}

/* ---- instructions of their own ---- */

#define LSE ".arch_extension lse\n"
#define FETCH(op, name, type, w, suffix)                                                      \
	static void lse_##op##_##name(struct state *s)                                        \
	{                                                                                     \
		type v;                                                                       \
		__asm__ __volatile__(LSE "ld" #op suffix " %" w "2, %" w "0, [%1]\n"          \
				     : "=&r"(v) : "r"(&M), "r"(IN(type, 0)) : "memory");      \
		s->out[0] = v;                                                                \
	}
FETCH(add, 8, uint8_t, "w", "b")
FETCH(add, 16, uint16_t, "w", "ah")
FETCH(add, 32, uint32_t, "w", "l")
FETCH(add, 64, uint64_t, "x", "al")
FETCH(clr, 8, uint8_t, "w", "alb")
FETCH(clr, 16, uint16_t, "w", "lh")
FETCH(clr, 32, uint32_t, "w", "a")
FETCH(clr, 64, uint64_t, "x", "")
FETCH(set, 8, uint8_t, "w", "b")
FETCH(set, 16, uint16_t, "w", "h")
FETCH(set, 32, uint32_t, "w", "")
FETCH(set, 64, uint64_t, "x", "l")
FETCH(eor, 8, uint8_t, "w", "b")
FETCH(eor, 16, uint16_t, "w", "h")
FETCH(eor, 32, uint32_t, "w", "al")
FETCH(eor, 64, uint64_t, "x", "")

static void lse_stores(struct state *s)
{
	uint64_t delta = s->in[0];

	__asm__ __volatile__(LSE "mov x9, #3; stadd x9, %0" : "+Q"(M) : : "x9");
	__asm__ __volatile__(LSE "mvn %1, %1; stclrl %1, %0" : "+Q"(M), "+&r"(delta) : : "memory");
	__asm__ __volatile__(LSE "neg %w1, %w1; staddl %w1, %0" : "+Q"(AS(uint32_t)), "+&r"(delta) : : "memory");
	__asm__ __volatile__(LSE "stset %w1, %0\n" : "+Q"(AS(uint32_t)) : "r"(IN(uint32_t, 1)));
	s->out[0] = delta;
}

#define SWAP(name, type, w, suffix)                                                           \
	static void lse_swap_##name(struct state *s)                                          \
	{                                                                                     \
		type v, previous = EXPECTED(type);                                            \
		__asm__ __volatile__(LSE "swp" suffix " %" w "2, %" w "0, [%1]\n"             \
				     : "=&r"(v) : "r"(&s->mem[9]), "r"(IN(type, 0)) : "memory"); \
		s->out[0] = v;                                                                \
		__asm__ __volatile__(LSE "cas" suffix " %" w "0, %" w "2, [%1]\n"             \
				     : "+&r"(previous) : "r"(&M), "r"(IN(type, 1)) : "memory"); \
		s->out[1] = previous;                                                         \
	}
SWAP(8, uint8_t, "w", "alb")
SWAP(16, uint16_t, "w", "h")
SWAP(32, uint32_t, "w", "a")
SWAP(64, uint64_t, "x", "al")

static void lse_pair(struct state *s)
{
	register uint64_t x0 __asm__("x0") = EXPECTED(uint64_t);
	register uint64_t x1 __asm__("x1") = s->in[3] & 2 ? s->mem[9] : s->in[1];
	register uint64_t x2 __asm__("x2") = s->in[1];
	register uint64_t x3 __asm__("x3") = s->in[2];

	__asm__ __volatile__(LSE "casp %0, %1, %2, %3, [%4]\n"
			     : "+&r"(x0), "+&r"(x1) : "r"(x2), "r"(x3), "r"(&M) : "memory");
	s->out[0] = x0;
	s->out[1] = x1;
}

#define ENTRY(name) { #name, name },
#define SIZES(of) ENTRY(of##_8) ENTRY(of##_16) ENTRY(of##_32) ENTRY(of##_64)
#define BOTH(of) ENTRY(of##_32) ENTRY(of##_64)

const struct snippet SNIPPETS[] = {
	ENTRY(barriers)
	SIZES(access)
	SIZES(add) SIZES(sub) SIZES(and) SIZES(orr) SIZES(eor)
	SIZES(fetch_add) SIZES(fetch_sub) SIZES(fetch_and) SIZES(fetch_orr) SIZES(fetch_eor)
	ENTRY(bic) ENTRY(not) SIZES(swap) ENTRY(clear)
	BOTH(cas_compare) BOTH(cas_differs) BOTH(cas_flag)
	ENTRY(cas_pair) ENTRY(load_pair)
	SIZES(lse_add) SIZES(lse_clr) SIZES(lse_set) SIZES(lse_eor)
	ENTRY(lse_stores) SIZES(lse_swap) ENTRY(lse_pair)
	{ 0 },
};
