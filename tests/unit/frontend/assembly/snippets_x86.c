/* snippets_x86.c -- inline assembly of x86-64, in the forms that libraries with atomics of their own use. */
#include "snippets.h"

#include <stdbool.h>

#define M (s->mem[8])
#define AS(type) (*(type *)&s->mem[8])
#define IN(type, i) ((type)s->in[i])

/* ---- nothing, and fences ---- */

static void barriers(struct state *s)
{
	uint64_t hidden = s->in[0];

	__asm__ __volatile__("" ::: "memory");
	__asm__("" : "+r"(hidden));
	__asm__ __volatile__("" : : "r,m"(hidden) : "memory");
	__asm__ __volatile__("mfence" ::: "memory");
	__asm__ __volatile__("lfence" ::: "memory");
	__asm__ __volatile__("sfence" ::: "memory");
	__asm__ __volatile__("pause");
	__asm__ __volatile__("rep; nop" ::: "memory");
	__asm__ __volatile__("rep nop\n\tnop");
	__asm__ __volatile__("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
	__asm__ __volatile__("lock; orq $0x0,-8(%%rsp)" ::: "memory", "cc");
	__asm__ __volatile__("prefetchw (%0)" : : "r"(&s->mem[8]) : "memory");
	s->out[0] = hidden;
}

/* ---- exchange and fetch-add, in all sizes ---- */

#define FETCH(name, type, suffix)                                                             \
	static void xchg_##name(struct state *s)                                              \
	{                                                                                     \
		type v = IN(type, 0);                                                         \
		__asm__ __volatile__("xchg" suffix " %[v], %[at]"                             \
				     : [v] "+r"(v), [at] "+m"(AS(type)) : : "memory");        \
		s->out[0] = v;                                                                \
	}                                                                                     \
	static void lock_xchg_##name(struct state *s)                                         \
	{                                                                                     \
		type v;                                                                       \
		__asm__ __volatile__("lock; xchg" suffix " %0, %1"                            \
				     : "=q"(v), "+m"(AS(type)) : "0"(IN(type, 0)) : "memory"); \
		s->out[0] = v;                                                                \
	}                                                                                     \
	static void xadd_##name(struct state *s)                                              \
	{                                                                                     \
		type v = IN(type, 0);                                                         \
		bool zero, carry, sign;                                                       \
		__asm__ __volatile__("lock; xadd" suffix " %1, %0;"                           \
				     "setz %2; setc %3; sets %4"                              \
				     : "+m"(AS(type)), "+q"(v), "=qm"(zero), "=q"(carry),     \
				       "=q"(sign)                                             \
				     : : "memory", "cc");                                     \
		s->out[0] = v;                                                                \
		s->out[1] = zero;                                                             \
		s->out[2] = carry;                                                            \
		s->out[3] = sign;                                                             \
	}
FETCH(8, uint8_t, "b")
FETCH(16, uint16_t, "w")
FETCH(32, uint32_t, "l")
FETCH(64, uint64_t, "q")
FETCH(unsuffixed_32, uint32_t, "")
FETCH(unsuffixed_8, uint8_t, "")

static void xchg_pointer(struct state *s)
{
	void *v = (void *)s->in[0];

	__asm__ __volatile__("xchgq %0, %1" : "+r"(v), "+m"(AS(void *)) : : "memory");
	s->out[0] = (uint64_t)v;
}

static void xchg_double(struct state *s)
{
	union {
		uint64_t bits;
		double value;
	} v = { .bits = s->in[0] };

	__asm__ __volatile__("xchgq %0, %1" : "+m"(AS(double)), "+q"(v.value) : : "memory");
	s->out[0] = v.bits;
}

static void xchg_through_register(struct state *s)
{
	uint32_t v = IN(uint32_t, 0);

	__asm__ __volatile__("xchg %0, 4(%1)" : "+r"(v) : "r"(&M) : "memory");
	s->out[0] = v;
}

/* ---- operations without a result ---- */

#define BINARY(op, name, type, suffix, constraint)                                            \
	static void op##_##name(struct state *s)                                              \
	{                                                                                     \
		bool zero, carry, sign;                                                       \
		__asm__ __volatile__("lock; " #op suffix " %1,%0"                             \
				     : "=m"(AS(type)) : constraint(IN(type, 0)), "m"(AS(type)) \
				     : "memory");                                             \
		__asm__ __volatile__("lock " #op suffix " %4,%0"                              \
				     : "+m"(AS(type)), "=@ccz"(zero), "=@ccc"(carry), "=@ccs"(sign) \
				     : constraint(IN(type, 1)) : "memory");                   \
		s->out[0] = zero;                                                             \
		s->out[1] = carry;                                                            \
		s->out[2] = sign;                                                             \
	}                                                                                     \
	static void op##_constant_##name(struct state *s)                                     \
	{                                                                                     \
		__asm__ __volatile__("lock\n\t" #op suffix " %1,%0"                           \
				     : "+m"(AS(type)) : "i"((type)-3));                       \
		__asm__ __volatile__("lock; " #op suffix " $5,%0" : "+m"(AS(type)));         \
	}                                                                                     \
	static void op##_unlocked_##name(struct state *s)                                     \
	{                                                                                     \
		bool zero, carry, sign;                                                       \
		type v = IN(type, 2);                                                         \
		__asm__ __volatile__(#op suffix " %4,%0"                                      \
				     : "+m"(AS(type)), "=@ccz"(zero), "=@ccc"(carry), "=@ccs"(sign) \
				     : constraint(IN(type, 1)));                              \
		__asm__(#op suffix " %1,%0" : "+r"(v) : "r"(IN(type, 3)));                    \
		s->out[0] = zero;                                                             \
		s->out[1] = carry;                                                            \
		s->out[2] = sign;                                                             \
		s->out[3] = v;                                                                \
	}
#define BINARIES(op)                          \
	BINARY(op, 8, uint8_t, "b", "iq")     \
	BINARY(op, 16, uint16_t, "w", "ir")   \
	BINARY(op, 32, uint32_t, "l", "er")   \
	BINARY(op, 64, uint64_t, "q", "er")
BINARIES(add)
BINARIES(sub)
BINARIES(and)
BINARIES(or)
BINARIES(xor)

#define UNARY(op, name, type, suffix)                                                         \
	static void op##_##name(struct state *s)                                              \
	{                                                                                     \
		char zero;                                                                    \
		bool sign;                                                                    \
		__asm__ __volatile__("lock; " #op suffix " %0; sete %1; sets %b2"             \
				     : "+m"(AS(type)), "=qm"(zero), "=q"(sign) : : "memory", "cc"); \
		s->out[0] = (uint64_t)zero;                                                   \
		s->out[1] = sign;                                                             \
		__asm__ __volatile__("lock " #op suffix " %0" : "=m"(AS(type)) : "m"(AS(type))); \
		__asm__ __volatile__(#op suffix " %0; setnz %1"                               \
				     : "+m"(AS(type)), "=r"(sign) : : "memory");              \
		s->out[2] = sign;                                                             \
	}
UNARY(inc, 8, uint8_t, "b")
UNARY(inc, 16, uint16_t, "w")
UNARY(inc, 32, uint32_t, "l")
UNARY(inc, 64, uint64_t, "q")
UNARY(dec, 8, uint8_t, "b")
UNARY(dec, 16, uint16_t, "w")
UNARY(dec, 32, uint32_t, "l")
UNARY(dec, 64, uint64_t, "q")

static void not_and_neg(struct state *s)
{
	uint64_t v = s->in[0];
	uint32_t w = IN(uint32_t, 1);
	bool carry;

	__asm__ __volatile__("lock; notq %0" : "+m"(M) : : "memory");
	__asm__ __volatile__("notl %0" : "+m"(AS(uint32_t)) : : "memory");
	__asm__("negq %0; setc %1" : "+&r"(v), "=r"(carry));
	__asm__("notl %0" : "+r"(w));
	s->out[0] = v;
	s->out[1] = carry;
	s->out[2] = w;
}

/* The carry is that of the addition: inc keeps it. */
static void kept_carry(struct state *s)
{
	bool carry, zero;

	__asm__ __volatile__("lock; addl %3, %0; lock; incl %0; setc %1; setz %2"
			     : "+m"(AS(uint32_t)), "=&q"(carry), "=&q"(zero)
			     : "r"(IN(uint32_t, 0)) : "memory");
	s->out[0] = carry;
	s->out[1] = zero;
}

static void fetch_sub(struct state *s)
{
	uint64_t v = s->in[0];

	__asm__ __volatile__("neg %0; lock; xadd %0, %1" : "+r"(v), "+m"(M));
	s->out[0] = v;
}

/* ---- compare and exchange ---- */

/* Half of the time, what is expected is there. */
#define EXPECTED(type) ((type)(s->in[3] & 1 ? AS(type) : s->in[0]))

#define CAS(name, type, suffix)                                                               \
	static void cas_flag_##name(struct state *s)                                          \
	{                                                                                     \
		type seen = EXPECTED(type);                                                   \
		int done;                                                                     \
		__asm__ __volatile__("lock; cmpxchg" suffix " %[to], %[at]"                   \
				     : "=@ccz"(done), "+a"(seen), [at] "+m"(AS(type))         \
				     : [to] "r"(IN(type, 1)) : "memory");                     \
		s->out[0] = seen;                                                             \
		s->out[1] = (uint64_t)done;                                                   \
	}                                                                                     \
	static void cas_setz_##name(struct state *s)                                          \
	{                                                                                     \
		type seen = EXPECTED(type);                                                   \
		uint8_t done;                                                                 \
		__asm__ __volatile__("lock\n\tcmpxchg" suffix " %[to], %[at]\n\tsetz %[done]" \
				     : [done] "=r"(done), "+a"(seen), [at] "+m"(AS(type))     \
				     : [to] "r"(IN(type, 1)) : "cc", "memory");               \
		s->out[0] = seen;                                                             \
		s->out[1] = done;                                                             \
	}                                                                                     \
	/* One register for what is expected and for the answer. */                          \
	static void cas_shared_##name(struct state *s)                                        \
	{                                                                                     \
		uint8_t done;                                                                 \
		__asm__ __volatile__("lock cmpxchg" suffix " %[to], %[at]\nsete %%al"         \
				     : "=a"(done)                                             \
				     : [to] "r"(IN(type, 1)), [at] "m"(AS(type)), "a"(EXPECTED(type)) \
				     : "memory");                                             \
		s->out[0] = done;                                                             \
	}                                                                                     \
	static void cas_old_##name(struct state *s)                                           \
	{                                                                                     \
		type seen;                                                                    \
		__asm__ __volatile__("lock; cmpxchg" suffix " %2, %1"                         \
				     : "=a"(seen), "+m"(AS(type))                             \
				     : "r"(IN(type, 1)), "0"(EXPECTED(type)) : "memory");     \
		s->out[0] = seen;                                                             \
	}
CAS(8, uint8_t, "b")
CAS(16, uint16_t, "w")
CAS(32, uint32_t, "l")
CAS(64, uint64_t, "q")
CAS(unsuffixed_64, uint64_t, "")

static void cas_extended(struct state *s)
{
	uint32_t z;
	uint32_t old = EXPECTED(uint32_t);

	__asm__ __volatile__("lock; cmpxchgl %[src], %[dst]; sete %b[res]; movzbl %b[res], %[res]"
			     : [res] "=&q"(z), [dst] "=m"(AS(uint32_t)), "+a"(old)
			     : [src] "r"(IN(uint32_t, 1)), "m"(AS(uint32_t)) : "memory");
	s->out[0] = z;
}

static void cas_zeroed(struct state *s)
{
	uint32_t z;
	uint64_t old = EXPECTED(uint64_t);

	__asm__ __volatile__("xorl %0, %0\n\tlock; cmpxchgq %3, %1\n\tsetne %b0 # the other way round\n"
			     : "=&q"(z), "+m"(M), "+a"(old) : "r"(s->in[1]) : "memory");
	s->out[0] = z;
	s->out[1] = old;
}

static void cas16_setz(struct state *s)
{
	uint64_t low = EXPECTED(uint64_t), high = s->in[3] & 2 ? s->mem[9] : s->in[1];
	bool z;

	__asm__ __volatile__("lock; cmpxchg16b %0\n\tsetz %1"
			     : "+m"(AS(__int128)), "=q"(z), "+a"(low), "+d"(high)
			     : "b"(s->in[1]), "c"(s->in[2]) : "memory", "cc");
	s->out[0] = low;
	s->out[1] = high;
	s->out[2] = z;
}

/* What is expected is in memory. */
static void cas16_loaded(struct state *s)
{
	uint64_t expected[2] = { EXPECTED(uint64_t), s->in[3] & 2 ? s->mem[9] : s->in[1] };
	bool done;

	__asm__ __volatile__("mov 8(%[expected]), %%rdx\n\t"
			     "mov (%[expected]), %%rax\n\t"
			     "lock; cmpxchg16b %[at]\n\t"
			     "sete %[done]"
			     : [done] "=r"(done), [at] "+m"(AS(__int128))
			     : [expected] "r"(expected), "c"(s->in[2]), "b"(s->in[1])
			     : "rax", "rdx", "memory");
	s->out[0] = done;
}

/* An atomic load: exchanges something for itself, or nothing. */
static void load16(struct state *s)
{
	uint64_t low, high;

	__asm__ __volatile__("mov %%rax, %%rbx\n\tmov %%rdx, %%rcx\n\tlock; cmpxchg16b %[at]"
			     : "=d"(high), "=a"(low), [at] "+m"(AS(__int128)) : : "rcx", "rbx", "memory");
	s->out[0] = low;
	s->out[1] = high;
}

static void cas8_pair(struct state *s)
{
	uint32_t low = (uint32_t)EXPECTED(uint64_t), high = (uint32_t)(EXPECTED(uint64_t) >> 32);
	bool z;

	__asm__ __volatile__("lock; cmpxchg8b %1; sete %0"
			     : "=q"(z), "+m"(M), "+a"(low), "+d"(high)
			     : "b"(IN(uint32_t, 1)), "c"(IN(uint32_t, 2)) : "memory");
	s->out[0] = low;
	s->out[1] = high;
	s->out[2] = z;
}

/* ---- bits ---- */

#define BIT(op, name, type, suffix)                                                           \
	static void op##_##name(struct state *s)                                              \
	{                                                                                     \
		bool c, d;                                                                    \
		uint32_t mask;                                                                \
		/* anywhere in mem */                                                         \
		const type bit = (type)(int64_t)((int)(s->in[0] % 1000) - 500);               \
		__asm__ __volatile__("lock " #op suffix " %2, %0; setc %1"                    \
				     : "+m"(AS(type)), "=q"(c) : "r"(bit) : "memory", "cc");  \
		__asm__ __volatile__("lock; " #op suffix " $7,%0"                             \
				     : "+m"(AS(type)), "=@ccc"(d) : : "memory");              \
		__asm__ __volatile__("lock; " #op suffix " %2,%1; sbbl %0,%0"                 \
				     : "=r"(mask), "+m"(AS(type)) : "Ir"((type)3) : "memory"); \
		s->out[0] = c;                                                                \
		s->out[1] = d;                                                                \
		s->out[2] = mask;                                                             \
	}
BIT(bts, 16, uint16_t, "w")
BIT(bts, 32, uint32_t, "l")
BIT(bts, 64, uint64_t, "q")
BIT(btr, 16, uint16_t, "w")
BIT(btr, 32, uint32_t, "l")
BIT(btr, 64, uint64_t, "q")
BIT(btc, 16, uint16_t, "w")
BIT(btc, 32, uint32_t, "l")
BIT(btc, 64, uint64_t, "q")

/* ---- moves ---- */

#define MOVE(name, type, suffix)                                                              \
	static void mov_##name(struct state *s)                                               \
	{                                                                                     \
		type v, w = IN(type, 2);                                                      \
		__asm__ __volatile__("mov" suffix " %1, %0" : "=q"(v) : "m"(AS(type)) : "memory"); \
		s->out[0] = v;                                                                \
		__asm__ __volatile__("mov" suffix " %1, %0" : "=m"(AS(type)) : "iq"(IN(type, 0)) : "memory"); \
		__asm__ __volatile__("mov" suffix " 8(%1), %0" : "=&q"(v) : "r"(&M) : "memory"); \
		__asm__ __volatile__("mov" suffix " $17, -8(%0)" : : "r"(&M) : "memory");     \
		__asm__("mov" suffix " %1, %0" : "+q"(w) : "q"(IN(type, 3)));                 \
		s->out[1] = v;                                                                \
		s->out[2] = w;                                                                \
	}
MOVE(8, uint8_t, "b")
MOVE(16, uint16_t, "w")
MOVE(32, uint32_t, "l")
MOVE(64, uint64_t, "q")

/* Parts of a register stay. */
static void partial(struct state *s)
{
	uint64_t v = s->in[0], w = s->in[1], x = s->in[2];

	__asm__("movb %b1, %b0" : "+q"(v) : "q"(s->in[1]));
	__asm__("movw %w1, %w0" : "+r"(w) : "r"(s->in[2]));
	__asm__("movl %k1, %k0" : "+r"(x) : "r"(s->in[3]));
	s->out[0] = v;
	s->out[1] = w;
	s->out[2] = x;
	__asm__ __volatile__("movb %1, %b0" : "+q"(v) : "m"(AS(uint8_t)) : "memory");
	__asm__ __volatile__("lock; xaddw %w0, %1" : "+q"(w), "+m"(AS(uint16_t)) : : "memory");
	s->out[3] = v;
	s->out[4] = w;
}

static void swaps(struct state *s)
{
	uint64_t a = s->in[0], b = s->in[1];
	uint32_t c = IN(uint32_t, 2), d = IN(uint32_t, 3);

	__asm__("xchg %0, %1" : "+r"(a), "+r"(b));
	__asm__("xchgl %0, %1" : "+r"(c), "+r"(d));
	__asm__("bswap %0" : "+r"(a));
	__asm__("bswapl %0" : "=r"(c) : "0"(c));
	s->out[0] = a;
	s->out[1] = b;
	s->out[2] = c;
	s->out[3] = d;
}

/* With and without a bit: the register keeps its value. */
static void scans(struct state *s)
{
	uint64_t a = s->in[0], b = s->in[1], c, d = s->in[3];
	uint32_t e = IN(uint32_t, 0), f = IN(uint32_t, 1);

	__asm__("bsfq %1, %0" : "+r"(a) : "r"(s->in[2] & s->in[3]) : "cc");
	__asm__("bsrq %1, %0" : "+r"(b) : "r"(s->in[2]) : "cc");
	__asm__("bsrq %1, %0" : "=a"(c) : "r"(s->in[2] | 16) : "cc");
	__asm__("bsfw %w1, %w0" : "+r"(d) : "r"(s->in[2]) : "cc");
	__asm__("bsfl %1, %0" : "+r"(e) : "r"(IN(uint32_t, 2)) : "cc");
	__asm__("bsrl %1, %0" : "+r"(f) : "r"(IN(uint32_t, 3)) : "cc");
	s->out[0] = a;
	s->out[1] = b;
	s->out[2] = c;
	s->out[3] = d;
	s->out[4] = e;
	s->out[5] = f;
}

/* The position of the highest bit from 1, or 0: the zero flag tells whether there is one. */
static void positions(struct state *s)
{
	uint64_t a, b, c = s->in[1];

	__asm__("bsrq %1,%0\n\tjnz 1f\n\tmovq $-1,%0\n\t1:" : "=r"(a) : "r"(s->in[0] & s->in[1]) : "cc");
	__asm__("bsrq %1,%0\n\tjnz 1f\n\tmovq $-1,%0\n\t1:" : "=r"(b) : "r"(s->in[0] & 0) : "cc");
	__asm__("bsfq %0,%0\n\tjnz 1f\n\tmovq $64,%0\n\t1:" : "+r"(c) : : "cc");
	s->out[0] = a;
	s->out[1] = b;
	s->out[2] = c;
}

/* A lock that is free, and one that the loop itself frees. */
static void spin(struct state *s)
{
	uint32_t v = 1;

	AS(uint32_t) = 0;
	__asm__ __volatile__("1: xchg %0, %1; test %1, %1; jz 3f\n"
			     "2: pause; cmpl $0, %0; jnz 2b; jmp 1b; 3:"
			     : "=m"(AS(uint32_t)), "=q"(v) : "1"(v) : "memory");
	s->out[0] = v;
	v = 3;
	__asm__ __volatile__("1: xchgl %0, %1; testl %1, %1; jz 3f\n"
			     "2: decl %0; jnz 2b; jmp 1b; 3:"
			     : "+m"(AS(uint32_t)), "+q"(v) : : "memory", "cc");
	s->out[1] = v;
}

/* Jumps forward and back; before and after them, blocks of the function's own. */
static void branches(struct state *s)
{
	uint64_t a = s->in[0], sum = 0;

	for (int i = 0; i < 3; i++) {
		uint64_t small, count = (s->in[i] & 7) + 1;
		const uint64_t other = i && s->in[1] > s->in[2] ? s->in[i] : a;
		__asm__("cmpq %2, %1; jb 1f; movq %2, %0; jmp 2f; 1: movq %1, %0; 2:"
			: "=&r"(small) : "r"(a), "r"(other) : "cc");
		__asm__("1: addq %2, %0; subq $1, %1; jnz 1b" : "+&r"(sum), "+&r"(count) : "r"(small) : "cc");
		a = s->in[1] & 1 ? small : sum;
	}
	s->out[0] = a;
	s->out[1] = sum;
}

static void named_registers(struct state *s)
{
	uint64_t v;

	__asm__ __volatile__("movq %1, %%r8\n\t"
			     "lock; xaddq %%r8, (%2)\n\t"
			     "movq %%r8, %0"
			     : "=r"(v) : "r"(s->in[0]), "r"(&M) : "r8", "memory", "cc");
	s->out[0] = v;
	__asm__ __volatile__("lock; xaddq %%rax, (%%rdi)" : "+a"(v) : "D"(&M) : "memory");
	s->out[1] = v;
}

static void alternatives(struct state *s)
{
	uint32_t v = IN(uint32_t, 0);

	__asm__ __volatile__("{lock xaddl %0,%1|lock xadd %1,%0}" : "+r"(v), "+m"(AS(uint32_t)) : : "memory");
	s->out[0] = v;
}

/* Linux' LOCK_PREFIX. */
static void listed_lock(struct state *s)
{
	__asm__ __volatile__(".pushsection .smp_locks,\"a\"\n"
			     ".balign 4\n"
			     ".long 671f - .\n"
			     ".popsection\n"
			     "671:\n\tlock; addl %1,%0"
			     : "+m"(AS(uint32_t)) : "ir"(IN(uint32_t, 0)) : "memory");
}

#define ENTRY(name) { #name, name },
#define SIZES(of) ENTRY(of##_8) ENTRY(of##_16) ENTRY(of##_32) ENTRY(of##_64)
#define BIT_SIZES(of) ENTRY(of##_16) ENTRY(of##_32) ENTRY(of##_64)
#define ALL(of) SIZES(of) SIZES(of##_constant) SIZES(of##_unlocked)

const struct snippet SNIPPETS[] = {
	ENTRY(barriers)
	SIZES(xchg) SIZES(lock_xchg) SIZES(xadd)
	ENTRY(xchg_unsuffixed_32) ENTRY(xadd_unsuffixed_32) ENTRY(lock_xchg_unsuffixed_32)
	ENTRY(xchg_unsuffixed_8) ENTRY(xadd_unsuffixed_8) ENTRY(lock_xchg_unsuffixed_8)
	ENTRY(xchg_pointer) ENTRY(xchg_double) ENTRY(xchg_through_register)
	ALL(add) ALL(sub) ALL(and) ALL(or) ALL(xor)
	SIZES(inc) SIZES(dec)
	ENTRY(not_and_neg) ENTRY(kept_carry) ENTRY(fetch_sub)
	SIZES(cas_flag) SIZES(cas_setz) SIZES(cas_shared) SIZES(cas_old)
	ENTRY(cas_flag_unsuffixed_64) ENTRY(cas_setz_unsuffixed_64)
	ENTRY(cas_shared_unsuffixed_64) ENTRY(cas_old_unsuffixed_64)
	ENTRY(cas_extended) ENTRY(cas_zeroed)
	ENTRY(cas16_setz) ENTRY(cas16_loaded) ENTRY(load16) ENTRY(cas8_pair)
	BIT_SIZES(bts) BIT_SIZES(btr) BIT_SIZES(btc)
	SIZES(mov)
	ENTRY(partial) ENTRY(swaps) ENTRY(scans) ENTRY(positions) ENTRY(spin) ENTRY(branches) ENTRY(named_registers) ENTRY(alternatives) ENTRY(listed_lock)
	{ 0 },
};
