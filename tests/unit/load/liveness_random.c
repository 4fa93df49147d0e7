/* liveness_random.c -- random programs, made to hurt a liveness analysis.
 *
 * Locals in registers, spilled, escaping, indexed; values that live across many
 * hooks and values that do not; stack arguments, structures by value, variable-length
 * arrays, recursion, calls back from outside.  Defined behaviour only, and they
 * end: loops are counted.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "liveness_bench.h"

struct writer {
	FILE *out;
	uint64_t state;
	unsigned indent, loops, functions;
	unsigned budget; /* statements left in this function */
	bool simple;     /* no address of a local is taken in this function... */
	bool pointers;   /* ...but to be passed on */
	bool by_value;   /* it has a structure `by` on the stack */
};

static unsigned pick(struct writer *w, unsigned count)
{
	w->state += UINT64_C(0x9e3779b97f4a7c15);
	return (unsigned)(lp_mix(w->state) % count);
}

static void line(struct writer *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void line(struct writer *w, const char *format, ...)
{
	va_list list;

	fprintf(w->out, "%*s", (int)w->indent, "");
	va_start(list, format);
	vfprintf(w->out, format, list);
	va_end(list);
	fputc('\n', w->out);
}

/* An expression, written into `text`. */
static const char *expression(struct writer *w, unsigned depth)
{
	static const char *const binary[] = { "+", "-", "*", "^", "&", "|", "<", "==", ">>" };
	static char pool[64][512];
	static unsigned turn;
	char *text = pool[turn++ % 64];

	if (!depth) {
		switch (pick(w, 9)) {
		case 0: snprintf(text, 512, "%u", pick(w, 100)); break;
		case 1: snprintf(text, 512, "i%u", pick(w, 3)); break;
		case 2: snprintf(text, 512, w->simple ? "gp[v%u & 7]" : "arr[v%u & 7]", pick(w, 6)); break;
		case 3: snprintf(text, 512, "s.x"); break;
		case 4:
			if (w->by_value && pick(w, 2))
				snprintf(text, 512, "by.more[v%u %% 3]", pick(w, 6));
			else
				snprintf(text, 512, "(u64)s.y");
			break;
		default: snprintf(text, 512, "v%u", pick(w, 6)); break;
		}
		return text;
	}
	const char *a = expression(w, depth - 1), *b = expression(w, pick(w, depth));
	switch (pick(w, 8)) {
	case 0:
		snprintf(text, 512, "(%s ? %s : %s)", a, b, expression(w, 0));
		break;
	case 1:
		snprintf(text, 512, "(%s / (%s | 1))", a, b);
		break;
	case 2:
		snprintf(text, 512, "(u64)(int)(%s)", a);
		break;
	default: {
		const char *op = binary[pick(w, 9)];
		if (*op == '>' )
			snprintf(text, 512, "(%s >> (%s & 31))", a, b);
		else
			snprintf(text, 512, "(%s %s %s)", a, op, b);
	}
	}
	return text;
}

static void block(struct writer *w, unsigned depth);

static void body(struct writer *w, unsigned depth)
{
	w->indent += 2;
	block(w, depth);
	w->indent -= 2;
}

static void call_statement(struct writer *w)
{
	const unsigned v = pick(w, 6);

	if (w->functions && pick(w, 3)) {
		const unsigned f = pick(w, w->functions);
		switch (f % 5) {
		case 0:
			line(w, "v%u = f%u(%s, v%u);", v, f, expression(w, 1), pick(w, 6));
			break;
		case 1:
			line(w, "v%u ^= f%u(%s, v%u, 3, v%u, i0, v%u, v%u, %s);", v, f, expression(w, 1),
			     pick(w, 6), pick(w, 6), pick(w, 6), pick(w, 6), expression(w, 1));
			break;
		case 2:
			line(w, "v%u ^= f%u(s, %s);", v, f, expression(w, 1));
			break;
		case 3:
			if (w->simple && !w->pointers)
				line(w, "f%u(&gp[%u], %s);", f, v, expression(w, 1));
			else
				line(w, "f%u(&v%u, %s);", f, v, expression(w, 1));
			break;
		case 4: /* its result goes through a pointer to a local */
			line(w, w->simple ? "atomic_store(&ga[%u & 3], v%u);" : "s = f%u(s, v%u);", f, v);
			break;
		}
		return;
	}
	switch (pick(w, 4)) {
	case 0:
		line(w, "v%u = ext_many(v0, v1, %s, v3, i0, v5, %s, v%u);", v, expression(w, 1),
		     expression(w, 1), pick(w, 6));
		break;
	case 1:
		line(w, "v%u = ext_variadic(9, v0, (u64)1, %s, v3, v4, v5, v1, (u64)(%s), v%u);", v,
		     expression(w, 0), expression(w, 1), pick(w, 6));
		break;
	case 2:
		line(w, "v%u += ext_call(called, %s);", v, expression(w, 1));
		break;
	case 3:
		line(w, "v%u += table[v%u & 1](%s);", v, pick(w, 6), expression(w, 1));
		break;
	}
}

static void statement(struct writer *w, unsigned depth)
{
	const unsigned v = pick(w, 6), g = pick(w, 4);

	switch (pick(w, depth ? 22 : 14)) {
	case 0: case 1:
		line(w, "v%u = %s;", v, expression(w, 2));
		break;
	case 2: case 3:
		line(w, "v%u = atomic_load(&ga[%u]);", v, g);
		break;
	case 4:
		line(w, "atomic_store(&ga[%u], %s);", g, expression(w, 1));
		break;
	case 5:
		line(w, "v%u += atomic_fetch_add(&ga[%u], %s);", v, g, expression(w, 1));
		break;
	case 6:
		line(w, "%s[(%s) & 7] = %s;", w->simple ? "gp" : "arr", expression(w, 1), expression(w, 1));
		break;
	case 7:
		line(w, "gp[%s & 7] = v%u;", expression(w, 0), v);
		break;
	case 8:
		line(w, "s.%c = %s;", "xy"[pick(w, 2)], expression(w, 1));
		break;
	case 9:
		line(w, "d = d * 0.5 + (double)(int)v%u; v%u ^= (u64)(int)(d * 0.001);", v, pick(w, 6));
		break;
	case 10: case 11:
		call_statement(w);
		break;
	case 12:
		switch (pick(w, 4)) {
		case 0: line(w, "c = (unsigned char)(c + v%u);", v); break;
		case 1: line(w, "v%u += c;", v); break;
		case 2: line(w, "i%u = (int)v%u;", pick(w, 3), v); break;
		case 3: line(w, "h = (short)(h * 3 + i%u); v%u ^= (u64)h;", pick(w, 3), v); break;
		}
		break;
	case 13:
		line(w, "if (v%u == 0x123456789) abort();", v);
		break;
	case 14: case 15:
		line(w, "if (%s) {", expression(w, 2));
		body(w, depth - 1);
		line(w, "} else {");
		body(w, depth - 1);
		line(w, "}");
		break;
	case 16: case 17: {
		const unsigned n = w->loops++;
		line(w, "for (int n%u = 0; n%u < %u; n%u++) {", n, n, 1 + pick(w, 4), n);
		line(w, "  v%u += (u64)n%u;", v, n);
		body(w, depth - 1);
		line(w, "}");
		break;
	}
	case 18: {
		const unsigned n = w->loops++;
		line(w, "{ int t%u = 0; while (atomic_load(&ga[%u]) %% 3 && t%u++ < 4) {", n, g, n);
		body(w, depth - 1);
		line(w, "} }");
		break;
	}
	case 19: {
		const unsigned n = w->loops++;
		line(w, "for (int r%u = 0; r%u < 3; r%u++) {", n, n, n);
		line(w, "  u64 old%u = atomic_load(&ga[%u]);", n, g);
		body(w, depth - 1);
		line(w, "  if (atomic_compare_exchange_strong(&ga[%u], &old%u, %s)) { v%u = old%u; break; }",
		     g, n, expression(w, 1), v, n);
		line(w, "}");
		break;
	}
	case 20:
		if (pick(w, 2)) {
			const unsigned n = w->loops++;
			line(w, "{ u64 e%u = %s;", n, expression(w, 1));
			body(w, depth - 1);
			line(w, "i1 += atomic_compare_exchange_strong(&ga[%u], &e%u, v%u); }", g, n, v);
			break;
		}
		line(w, "if (atomic_compare_exchange_weak(&ga[%u], &v%u, %s)) {", g, v, expression(w, 1));
		body(w, depth - 1);
		line(w, "}");
		break;
	case 21:
		switch (w->simple ? 2 : pick(w, 4)) {
		case 0: {
			const unsigned n = w->loops++;
			line(w, "{ u64 *p%u = v%u & 1 ? &v%u : &v%u; *p%u += %s;", n, v, pick(w, 6),
			     pick(w, 6), n, expression(w, 1));
			body(w, depth - 1);
			line(w, "*p%u ^= 5; }", n);
			break;
		}
		case 1: {
			const unsigned n = w->loops++;
			line(w, "{ unsigned char vla%u[(v%u & 15) + 1]; vla%u[0] = (unsigned char)v%u;", n, v, n,
			     pick(w, 6));
			body(w, depth - 1);
			line(w, "v%u += vla%u[0]; }", pick(w, 6), n);
			break;
		}
		default:
			line(w, "switch (v%u & 3) {", v);
			line(w, "case 0:");
			body(w, depth - 1);
			line(w, "break; case 1:");
			body(w, depth - 1);
			line(w, "case 2: v%u++; break; default: v%u = %s; }", pick(w, 6), pick(w, 6),
			     expression(w, 1));
			break;
		}
		break;
	}
}

static void block(struct writer *w, unsigned depth)
{
	for (unsigned n = 1 + pick(w, 3); n && w->budget; n--) {
		w->budget--;
		statement(w, depth);
	}
}

static void function(struct writer *w, unsigned number, bool entry)
{
	static const char *const heads[] = {
		"u64 f%u(u64 a, u64 b)",
		"u64 f%u(u64 a, u64 b, int a2, u64 a3, int a4, u64 a5, u64 a6, u64 a7)",
		"u64 f%u(struct s by, u64 b)",
		"void f%u(u64 *out, u64 b)",
		"struct s f%u(struct s by, u64 b)",
	};
	const unsigned kind = entry ? 0 : number % 5;
	const unsigned attribute = pick(w, 4);

	w->budget = 8 + pick(w, 20);
	w->simple = pick(w, 4) != 0;
	w->pointers = pick(w, 3) == 0;
	w->by_value = kind == 2 || kind == 4;
	fputs(entry ? "" : attribute == 0 ? "static " : attribute == 1 ?
	      "static __attribute__((noinline)) " : "__attribute__((noinline)) ", w->out);
	if (entry)
		fputs("u64 entry(u64 a, u64 b)", w->out);
	else
		fprintf(w->out, heads[kind], number);
	line(w, " {");
	line(w, "  u64 v0 = %s, v1 = b, v2 = 2, v3 = 3, v4 = 4, v5 = b ^ 5;",
	     kind == 0 || kind == 1 ? "a" : kind == 3 ? "*out" : "by.x + by.more[1]");
	line(w, "  int i0 = 1, i1 = (int)b, i2 = %s; unsigned char c = 3; short h = 5; double d = 1.5;",
	     kind == 1 ? "a2 + a4 + (int)a6" : "7");
	if (!w->simple)
		line(w, "  u64 arr[8] = { 1, v0, 2, v1 };");
	line(w, "  struct s s = { v0, 4, { 1, b, 2 } };");
	while (w->budget)
		block(w, 3);
	if (kind == 1)
		line(w, "  v0 += a3 * a5 + a7 * 3 + a6;");
	/* Not everything is live to the end. */
	for (unsigned i = 0; i < 6; i++)
		if (pick(w, 3) == 0)
			line(w, "  v0 = v0 * 3 ^ v%u;", i);
	for (unsigned i = 0; i < 3; i++)
		if (pick(w, 2))
			line(w, "  v0 += (u64)i%u * %u;", i, 5 + i);
	if (pick(w, 2))
		line(w, "  v0 += c + %s[v0 & 7];", w->simple ? "gp" : "arr");
	if (kind == 3)
		line(w, "  *out = v0 + (u64)(int)d; }");
	else if (kind == 4)
		line(w, "  s.x ^= v0; s.more[2] = by.more[0]; return s; }");
	else
		line(w, "  return v0 + %s; }", pick(w, 2) ? "s.x" : "(u64)s.y");
}

char *bench_random_program(uint64_t seed)
{
	char *text;
	size_t size;
	struct writer w = { .state = seed, .out = open_memstream(&text, &size) };

	fputs("#include <stdatomic.h>\n#include <stdlib.h>\ntypedef unsigned long u64;\n"
	      "struct s { u64 x; int y; u64 more[3]; };\n_Atomic u64 ga[4]; u64 gp[8];\n"
	      "u64 ext_many(u64, u64, u64, u64, u64, u64, u64, u64); u64 ext_variadic(int, ...);\n"
	      "u64 ext_call(u64 (*)(u64), u64);\n"
	      "u64 called(u64 a) { u64 b = atomic_load(&ga[0]); return a > 9 ? b + a : b ^ called(a + 3); }\n"
	      "static u64 second(u64 a) { atomic_store(&ga[1], a); return a + atomic_load(&ga[2]) + gp[1]; }\n"
	      "u64 (*table[2])(u64) = { called, second };\n", w.out);
	for (w.functions = 0; w.functions < 10; w.functions++)
		function(&w, w.functions, false);
	function(&w, 0, true);
	fclose(w.out);
	return text;
}
