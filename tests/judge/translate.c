/* translate.c -- scripts as C; see translate.h.
 *
 * A location is a variable, or, if it is freed or somebody's own, a member of a block.  Its accesses are the
 * compiler's builtins, so that atomic and plain ones can go to the same variable.  Registers are local variables, and
 * like threads run the same function, with a pointer to what is theirs as argument.
 */
#include "translate.h"

#include <string.h>

const char translate_head[] =
	"#include <assert.h>\n#include <pthread.h>\n#include <sched.h>\n#include <semaphore.h>\n"
	"#include <stdint.h>\n#include <stdlib.h>\n"
	"void lp_outcome(const char *);\nvoid __VERIFIER_assume(int);\n"
	"struct own { uint64_t a, b; };\nstruct theirs { struct own own; uint64_t reg[16]; };\n"
	"static char *put_number(char *at, uint64_t v)\n{\n"
	"\tchar digit[24];\n\tint n = 0;\n"
	"\tdo digit[n++] = (char)('0' + v % 10); while (v /= 10);\n"
	"\twhile (n) *at++ = digit[--n];\n\t*at++ = ' ';\n\treturn at;\n}\n";

struct translator {
	const struct lp_script *s;
	unsigned number;
	FILE *out;
	uint32_t own[2]; /* 1 + first locations of the names that are somebody's own */
};

/* ---- what can be translated ---- */

static bool is_lock_line(const struct lp_script_line *line)
{
	return line->kind == LP_LINE_LOCK || line->kind == LP_LINE_UNLOCK || line->kind == LP_LINE_TRYLOCK;
}

static bool is_semaphore_line(const struct lp_script_line *line)
{
	return line->kind == LP_LINE_WAIT || line->kind == LP_LINE_POST;
}

static bool some_line(const struct lp_script *s, bool (*holds)(const struct lp_script_line *, uint32_t), uint32_t loc)
{
	for (uint32_t b = 0; b < s->blocks.count; b++)
		for (uint32_t i = 0; i < s->blocks.at[b].count; i++)
			if (holds(&s->blocks.at[b].at[i], loc))
				return true;
	return false;
}

static bool locks(const struct lp_script_line *line, uint32_t loc)
{
	return is_lock_line(line) && line->loc == loc;
}

static bool counts(const struct lp_script_line *line, uint32_t loc)
{
	return is_semaphore_line(line) && line->loc == loc;
}

static bool accesses(const struct lp_script_line *line, uint32_t loc)
{
	return lp_script_names_loc(line) && !is_lock_line(line) && !is_semaphore_line(line) && line->loc == loc;
}

static bool frees(const struct lp_script_line *line, uint32_t loc)
{
	return line->kind == LP_LINE_FREE && line->loc == loc;
}

static bool allocates(const struct lp_script_line *line, uint32_t loc)
{
	return line->kind == LP_LINE_ALLOC && line->loc == loc;
}

static bool is_addresses_number(const struct lp_script_expr *e)
{
	const uint64_t a = e->a.is_reg ? 0 : e->a.number, b = e->op && !e->b.is_reg ? e->b.number : 0;
	return a - LP_SCRIPT_ME < LP_SCRIPT_OWNERS || b - LP_SCRIPT_ME < LP_SCRIPT_OWNERS;
}

static bool is_strange(const struct lp_script_line *line, uint32_t unused)
{
	(void)unused;
	return line->size || (line->kind == LP_LINE_CHOOSE && line->a.a.number != 1) ||
	       is_addresses_number(&line->a) || is_addresses_number(&line->b) ||
	       (line->whose == LP_WHOSE_NAMED && line->kind == LP_LINE_ALLOC);
}

static bool has_address(const struct lp_script_line *line, uint32_t unused)
{
	(void)unused;
	return line->kind == LP_LINE_ME || (line->kind == LP_LINE_ALLOC && line->whose);
}

static bool calculates(const struct lp_script_line *line, uint32_t unused)
{
	(void)unused;
	return line->a.op || line->b.op || (line->kind == LP_LINE_RMW && line->rmw != LP_XCHG) ||
	       (line->kind == LP_LINE_IF && line->compare > LP_CMP_NE);
}

bool translates_results(const struct lp_script *s)
{
	for (uint32_t l = 0; l < s->locs.count; l++)
		if (s->locs.at[l].initial - LP_SCRIPT_ME < LP_SCRIPT_OWNERS)
			return false; /* an address */
	return !some_line(s, has_address, 0);
}

bool can_translate(const struct lp_script *s)
{
	uint32_t names = 0, allocated = 0;

	if (s->stack || some_line(s, is_strange, 0) || (some_line(s, has_address, 0) && some_line(s, calculates, 0)))
		return false;
	for (uint32_t l = 0; l < s->locs.count; l++) {
		const bool lock = some_line(s, locks, l), semaphore = some_line(s, counts, l);

		if (lock + semaphore + some_line(s, accesses, l) > 1 || (lock && s->locs.at[l].initial))
			return false;
		names += s->locs.at[l].owner == 1;
		allocated += some_line(s, allocates, l);
		if (some_line(s, allocates, l) && !s->locs.at[l].owner)
			return false;
		if (s->locs.at[l].owner && some_line(s, frees, l) && !some_line(s, allocates, l))
			return false;
		if (s->locs.at[l].initial - LP_SCRIPT_ME < LP_SCRIPT_OWNERS && s->locs.at[l].initial != LP_SCRIPT_ME)
			return false;
	}
	return names <= 2 && allocated <= 1 && !(allocated && names > 1) && s->blocks.count <= LP_SCRIPT_OWNERS;
}

/* ---- expressions and locations ---- */

static void put_atom(struct translator *t, struct lp_script_atom a)
{
	fprintf(t->out, a.is_reg ? "r%llu" : "UINT64_C(%llu)", (unsigned long long)a.number);
}

static void put_expr(struct translator *t, const struct lp_script_expr *e)
{
	fputc('(', t->out);
	put_atom(t, e->a);
	if (e->op) {
		fprintf(t->out, " %c ", e->op);
		put_atom(t, e->b);
	}
	fputc(')', t->out);
}

static bool is_block(const struct translator *t, uint32_t loc)
{
	return some_line(t->s, frees, loc);
}

/* The location of the line, as an lvalue. */
static void put_loc(struct translator *t, const struct lp_script_line *line)
{
	const char *member = t->own[0] == line->loc + 1 ? "a" : "b";

	if (line->whose == LP_WHOSE_MINE)
		fprintf(t->out, "own->%s", member);
	else if (line->whose == LP_WHOSE_NAMED)
		fprintf(t->out, some_line(t->s, allocates, line->loc) ? "((struct own *)r%u)->%s" : "at_%3$u(r%1$u)->%2$s",
			line->owner, member, t->number);
	else
		fprintf(t->out, is_block(t, line->loc) ? "(*%s_%u)" : "%s_%u", t->s->locs.at[line->loc].name, t->number);
}

static const char *order_of(uint8_t order)
{
	static const char *const names[] = {
		[LP_RLX] = "__ATOMIC_RELAXED", [LP_ACQ] = "__ATOMIC_ACQUIRE", [LP_REL] = "__ATOMIC_RELEASE",
		[LP_ACQREL] = "__ATOMIC_ACQ_REL", [LP_SC] = "__ATOMIC_SEQ_CST",
	};
	return names[order];
}

static const char *comparison(uint8_t compare)
{
	static const char *const names[] = {
		[LP_CMP_EQ] = "==", [LP_CMP_NE] = "!=", [LP_CMP_LE] = "<=",
		[LP_CMP_GE] = ">=", [LP_CMP_LT] = "<", [LP_CMP_GT] = ">",
	};
	return names[compare];
}

static void put_condition(struct translator *t, const struct lp_script_line *line)
{
	put_expr(t, &line->a);
	fprintf(t->out, " %s ", comparison(line->compare));
	put_expr(t, &line->b);
}

/* ---- lines ---- */

static void put_dest(struct translator *t, uint8_t reg)
{
	if (reg != LP_SCRIPT_NO_REG)
		fprintf(t->out, "r%u = ", reg);
}

static void put_load(struct translator *t, const struct lp_script_line *line)
{
	fputs("__atomic_load_n(&", t->out);
	put_loc(t, line);
	fprintf(t->out, ", %s)", order_of(line->order));
}

static void put_update(struct translator *t, const struct lp_script_line *line)
{
	static const char *const names[] = {
		[LP_XCHG] = "exchange_n", [LP_ADD] = "fetch_add", [LP_SUB] = "fetch_sub",
		[LP_AND] = "fetch_and", [LP_OR] = "fetch_or", [LP_XOR] = "fetch_xor",
	};
	put_dest(t, line->dest);
	fprintf(t->out, "__atomic_%s(&", names[line->rmw]);
	put_loc(t, line);
	fputs(", ", t->out);
	put_expr(t, &line->a);
	fprintf(t->out, ", %s);\n", order_of(line->order));
}

static void put_cas(struct translator *t, const struct lp_script_line *line)
{
	fputs("{ uint64_t e = ", t->out);
	put_expr(t, &line->a);
	fputs("; ", t->out);
	put_dest(t, line->flag);
	fputs("__atomic_compare_exchange_n(&", t->out);
	put_loc(t, line);
	fputs(", &e, ", t->out);
	put_expr(t, &line->b);
	fprintf(t->out, ", %d, %s, %s); ", line->kind == LP_LINE_WCAS, order_of(line->order), order_of(line->fail_order));
	if (line->dest != LP_SCRIPT_NO_REG)
		fprintf(t->out, "r%u = e; ", line->dest);
	fputs("}\n", t->out);
}

/* A load that waits for a value, or whose other values are of no interest. */
static void put_wanted(struct translator *t, const struct lp_script_line *line)
{
	fputs("{ uint64_t v; ", t->out);
	fputs(line->kind == LP_LINE_AWAIT ? "do v = " : "v = ", t->out);
	put_load(t, line);
	fputs(line->kind == LP_LINE_AWAIT ? "; while (!(" : "; __VERIFIER_assume(", t->out);
	fprintf(t->out, "v %s ", comparison(line->compare));
	put_expr(t, &line->a);
	fputs(line->kind == LP_LINE_AWAIT ? ")); " : "); ", t->out);
	if (line->dest != LP_SCRIPT_NO_REG)
		fprintf(t->out, "r%u = v; ", line->dest);
	fputs("}\n", t->out);
}

static void put_lock_line(struct translator *t, const struct lp_script_line *line)
{
	const char *name = t->s->locs.at[line->loc].name;

	switch (line->kind) {
	case LP_LINE_LOCK:
	case LP_LINE_UNLOCK:
		fprintf(t->out, "pthread_mutex_%s(&%s_%u);\n", line->kind == LP_LINE_LOCK ? "lock" : "unlock", name, t->number);
		break;
	case LP_LINE_TRYLOCK:
		put_dest(t, line->dest);
		fprintf(t->out, "!!pthread_mutex_trylock(&%s_%u);\n", name, t->number);
		break;
	default:
		fprintf(t->out, "sem_%s(&%s_%u);\n", line->kind == LP_LINE_WAIT ? "wait" : "post", name, t->number);
		break;
	}
}

static void put_plain(struct translator *t, const struct lp_script_line *line)
{
	switch (line->kind) {
	case LP_LINE_ALLOC:
		fputs("own = calloc(1, sizeof *own);\n", t->out);
		if (t->s->locs.at[line->loc].initial)
			fprintf(t->out, "\town->a = %llu;\n", (unsigned long long)t->s->locs.at[line->loc].initial);
		if (line->dest != LP_SCRIPT_NO_REG)
			fprintf(t->out, "\tr%u = (uint64_t)own;\n", line->dest);
		break;
	case LP_LINE_FREE:
		fputs("free((void *)&", t->out);
		put_loc(t, line);
		fputs(");\n", t->out);
		break;
	case LP_LINE_PLOAD:
		if (line->dest != LP_SCRIPT_NO_REG)
			put_dest(t, line->dest);
		else
			fputs("unused = ", t->out);
		put_loc(t, line);
		fputs(";\n", t->out);
		break;
	default:
		put_loc(t, line);
		fputs(" = ", t->out);
		put_expr(t, &line->a);
		fputs(";\n", t->out);
		break;
	}
}

static void put_local(struct translator *t, const struct lp_script_line *line)
{
	switch (line->kind) {
	case LP_LINE_SET:
		put_dest(t, line->dest);
		put_expr(t, &line->a);
		fputs(";\n", t->out);
		break;
	case LP_LINE_ME:
		put_dest(t, line->dest);
		fputs("(uint64_t)own;\n", t->out);
		break;
	case LP_LINE_IF:
		fputs("if (", t->out);
		put_condition(t, line);
		fprintf(t->out, ") goto %s;\n", line->label);
		break;
	case LP_LINE_GOTO:
		fprintf(t->out, "goto %s;\n", line->label);
		break;
	case LP_LINE_LABEL:
		fprintf(t->out, "%s: __attribute__((unused));\n", line->label);
		break;
	default:
		fputs(line->kind == LP_LINE_ASSUME ? "__VERIFIER_assume(" : "assert(", t->out);
		put_condition(t, line);
		fputs(");\n", t->out);
		break;
	}
}

static void put_line(struct translator *t, const struct lp_script_line *line)
{
	fputc('\t', t->out);
	switch ((enum lp_script_kind)line->kind) {
	case LP_LINE_LOAD:
		put_dest(t, line->dest);
		put_load(t, line);
		fputs(";\n", t->out);
		break;
	case LP_LINE_STORE:
		fputs("__atomic_store_n(&", t->out);
		put_loc(t, line);
		fputs(", ", t->out);
		put_expr(t, &line->a);
		fprintf(t->out, ", %s);\n", order_of(line->order));
		break;
	case LP_LINE_RMW:
		put_update(t, line);
		break;
	case LP_LINE_CAS:
	case LP_LINE_WCAS:
		put_cas(t, line);
		break;
	case LP_LINE_AWAIT:
	case LP_LINE_REQUIRE:
		put_wanted(t, line);
		break;
	case LP_LINE_FENCE:
		fprintf(t->out, "__atomic_thread_fence(%s);\n", order_of(line->order));
		break;
	case LP_LINE_LOCK:
	case LP_LINE_TRYLOCK:
	case LP_LINE_UNLOCK:
	case LP_LINE_WAIT:
	case LP_LINE_POST:
		put_lock_line(t, line);
		break;
	case LP_LINE_YIELD:
		fputs("sched_yield();\n", t->out);
		break;
	case LP_LINE_ALLOC:
	case LP_LINE_FREE:
	case LP_LINE_PLOAD:
	case LP_LINE_PSTORE:
		put_plain(t, line);
		break;
	case LP_LINE_CHOOSE: /* out of one */
	case LP_LINE_SPAWN:
	case LP_LINE_JOIN:
		fputs(";\n", t->out);
		break;
	default:
		put_local(t, line);
		break;
	}
}

/* ---- threads and the whole ---- */

static bool is_named(const struct lp_script *s, uint32_t thread, uint8_t reg)
{
	for (uint32_t i = 0; i < s->outcome.count; i++)
		if (s->outcome.at[i].thread == thread && s->outcome.at[i].reg == reg)
			return true;
	return false;
}

static void put_registers(struct translator *t)
{
	fputs("\tuint64_t unused = 0", t->out);
	for (unsigned r = 0; r < LP_SCRIPT_REGS; r++)
		fprintf(t->out, ", r%u = 0", r);
	fputs(";\n\t(void)unused;\n", t->out);
	for (unsigned r = 0; r < LP_SCRIPT_REGS; r++)
		fprintf(t->out, "%s(void)r%u;%s", r ? " " : "\t", r, r == LP_SCRIPT_REGS - 1 ? "\n" : "");
}

static uint32_t first_alike(const struct lp_script *s, uint32_t thread)
{
	while (thread > 1 && lp_script_alike(s, thread - 1, thread))
		thread--;
	return thread;
}

static void put_thread(struct translator *t, uint32_t thread)
{
	const struct lp_script_block *b = &t->s->blocks.at[thread];

	fprintf(t->out, "static void *run%u_%u(void *arg)\n{\n\tstruct theirs *theirs = arg;\n\tstruct own *own = &theirs->own;\n",
		thread, t->number);
	put_registers(t);
	fputs("\t(void)own;\n", t->out);
	for (uint32_t i = 0; i < b->count; i++)
		put_line(t, &b->at[i]);
	for (uint8_t r = 0; r < LP_SCRIPT_REGS; r++)
		if (is_named(t->s, thread, r))
			fprintf(t->out, "\ttheirs->reg[%u] = r%u;\n", r, r);
	fputs("\treturn NULL;\n}\n", t->out);
}

static void put_variables(struct translator *t)
{
	for (uint32_t l = 0; l < t->s->locs.count; l++) {
		const struct lp_script_loc *loc = &t->s->locs.at[l];

		if (loc->owner)
			continue;
		if (some_line(t->s, locks, l))
			fprintf(t->out, "static pthread_mutex_t %s_%u = PTHREAD_MUTEX_INITIALIZER;\n", loc->name, t->number);
		else if (some_line(t->s, counts, l))
			fprintf(t->out, "static sem_t %s_%u;\n", loc->name, t->number);
		else if (is_block(t, l))
			fprintf(t->out, "static uint64_t *%s_%u;\n", loc->name, t->number);
		else
			fprintf(t->out, "static uint64_t %s_%u = %llu;\n", loc->name, t->number,
				(unsigned long long)(loc->initial == LP_SCRIPT_ME ? 0 : loc->initial));
	}
	fprintf(t->out, "static struct theirs theirs_%u[%u];\n", t->number, LP_SCRIPT_OWNERS);
	/* What is no address is as good as that of the first thread. */
	fprintf(t->out, "static inline struct own *at_%1$u(uint64_t r)\n{\n\tfor (int i = 1; i < %2$u; i++)\n"
			"\t\tif (r == (uint64_t)&theirs_%1$u[i].own)\n\t\t\treturn &theirs_%1$u[i].own;\n"
			"\treturn &theirs_%1$u[0].own;\n}\n", t->number, LP_SCRIPT_OWNERS);
}

/* What has to be done before the threads begin. */
static void put_beginning(struct translator *t)
{
	for (uint32_t l = 0; l < t->s->locs.count; l++) {
		const struct lp_script_loc *loc = &t->s->locs.at[l];
		const unsigned long long initial = loc->initial;

		if (loc->owner && initial && !some_line(t->s, allocates, l))
			fprintf(t->out, "\ttheirs_%u[%u].own.%s = %llu;\n", t->number, loc->owner - 1,
				t->own[0] == l - (loc->owner - 1) + 1 ? "a" : "b", initial);
		else if (loc->owner)
			continue;
		else if (some_line(t->s, counts, l))
			fprintf(t->out, "\tsem_init(&%s_%u, 0, %llu);\n", loc->name, t->number, initial);
		else if (is_block(t, l))
			fprintf(t->out, "\t%s_%u = malloc(8);\n\t*%s_%u = %llu;\n", loc->name, t->number, loc->name,
				t->number, initial);
		else if (initial == LP_SCRIPT_ME)
			fprintf(t->out, "\t%s_%u = (uint64_t)&theirs_%u[0].own;\n", loc->name, t->number, t->number);
	}
}

static void put_main(struct translator *t)
{
	const struct lp_script_block *b = &t->s->blocks.at[0];
	const uint32_t threads = t->s->blocks.count;

	fprintf(t->out, "static int main_%u(void)\n{\n\tpthread_t id[%u];\n\tchar text[400], *at = text;\n"
			"\tstruct own *own = &theirs_%u[0].own;\n", t->number, LP_SCRIPT_OWNERS, t->number);
	put_registers(t);
	fputs("\t(void)own;\n", t->out);
	put_beginning(t);
	for (uint32_t i = 1; i < threads; i++)
		fprintf(t->out, "\tpthread_create(&id[%u], NULL, run%u_%u, &theirs_%u[%u]);\n", i, first_alike(t->s, i),
			t->number, t->number, i);
	for (uint32_t i = 1; i < threads; i++)
		fprintf(t->out, "\tpthread_join(id[%u], NULL);\n", i);
	for (uint32_t i = 2 * (threads - 1); i < b->count; i++)
		put_line(t, &b->at[i]);
	for (uint32_t i = 0; i < t->s->outcome.count; i++) {
		const struct lp_script_outcome *o = &t->s->outcome.at[i];
		if (o->thread)
			fprintf(t->out, "\tat = put_number(at, theirs_%u[%u].reg[%u]);\n", t->number, o->thread, o->reg);
		else
			fprintf(t->out, "\tat = put_number(at, r%u);\n", o->reg);
	}
	fprintf(t->out, "\t*at = 0;\n%s\treturn 0;\n}\n", t->s->outcome.count ? "\tlp_outcome(text);\n" : "");
}

void translate(const struct lp_script *s, unsigned number, FILE *out)
{
	struct translator t = { .s = s, .number = number, .out = out };
	uint32_t names = 0;

	for (uint32_t l = 0; l < s->locs.count; l++)
		if (s->locs.at[l].owner == 1 && names < 2)
			t.own[names++] = l + 1;
	put_variables(&t);
	for (uint32_t i = 1; i < s->blocks.count; i++)
		if (first_alike(s, i) == i)
			put_thread(&t, i);
	put_main(&t);
}
