/* pure_spec.c -- detects a user's specification that keeps data outside its state. */
#define _GNU_SOURCE /* dlinfo() */
#include "verify/task/pure_spec.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/vec.h"
#include "spec/spec.h"

enum { STATES = 24, SECONDS = 3, MOST_BYTES = 1 << 16 };
enum verdict { PURE, CHANGES, DIFFERS };

/* In memory that the two processes share. */
struct finding {
	enum verdict verdict;
	uint32_t method;
};

/* ---- its variables ---- */

/* Sections, and the thread-local variables of this thread. */
enum { SECTIONS = 2, PARTS };

struct variables {
	void *handle; /* of the shared object */
	struct {
		char *at; /* NULL: no thread-local variable was used yet */
		size_t size;
	} part[PARTS];
	uint32_t sections;
};

static bool read_at(FILE *f, uint64_t offset, void *to, size_t size)
{
	return !fseek(f, (long)offset, SEEK_SET) && fread(to, size, 1, f) == 1;
}

static void find_thread_locals(struct variables *v, FILE *f, const ElfW(Ehdr) *header)
{
	ElfW(Phdr) segment;

	for (uint32_t i = 0; i < header->e_phnum; i++)
		if (read_at(f, header->e_phoff + (uint64_t)i * sizeof segment, &segment, sizeof segment) && segment.p_type == PT_TLS &&
		    segment.p_memsz < MOST_BYTES)
			v->part[SECTIONS].size = segment.p_memsz;
}

/* The sections .data and .bss.  The table by which functions are found, which changes as they are called, is another one. */
static void find_variables(struct variables *v, FILE *f, char *base)
{
	ElfW(Ehdr) header;
	ElfW(Shdr) names, section;
	char name[6];

	if (!read_at(f, 0, &header, sizeof header) || memcmp(header.e_ident, ELFMAG, SELFMAG) ||
	    !read_at(f, header.e_shoff + (uint64_t)header.e_shstrndx * sizeof names, &names, sizeof names))
		return;
	for (uint32_t i = 0; i < header.e_shnum && v->sections < SECTIONS; i++)
		if (read_at(f, header.e_shoff + (uint64_t)i * sizeof section, &section, sizeof section) &&
		    read_at(f, names.sh_offset + section.sh_name, name, sizeof name) && section.sh_size < MOST_BYTES &&
		    (!memcmp(name, ".data", 6) || !memcmp(name, ".bss", 5))) {
			v->part[v->sections].at = base + section.sh_addr;
			v->part[v->sections++].size = section.sh_size;
		}
	find_thread_locals(v, f, &header);
}

static struct variables variables_of(const char *shared, void *handle)
{
	struct variables v = { .handle = handle };
	struct link_map *map;
	FILE *f = fopen(shared, "rb");

	if (f && !dlinfo(handle, RTLD_DI_LINKMAP, &map))
		find_variables(&v, f, (char *)map->l_addr);
	if (f)
		fclose(f);
	return v;
}

static void keep(struct variables *v, char *copy)
{
	void *thread_locals = NULL;

	if (v->part[SECTIONS].size && !dlinfo(v->handle, RTLD_DI_TLS_DATA, &thread_locals))
		v->part[SECTIONS].at = thread_locals;
	for (uint32_t i = 0; i < PARTS; copy += v->part[i++].size)
		if (v->part[i].at)
			memcpy(copy, v->part[i].at, v->part[i].size);
}

static bool are_kept(const struct variables *v, const char *copy)
{
	bool same = true;

	for (uint32_t i = 0; i < PARTS; copy += v->part[i++].size)
		same &= !v->part[i].at || !memcmp(copy, v->part[i].at, v->part[i].size);
	return same;
}

/* ---- calls ---- */

/* One that was tried, and what came of it. */
struct trial {
	uint32_t state, method;
	uint8_t args, result, thread, choice;
	enum lp_answer answer;
	struct lp_state next; /* if it accepts */
};

static const int64_t arguments[][LP_MAX_ARGS] = { { 1, 1, 1 }, { 1, 2, 1 }, { 2, 1, 2 }, { 0, 1, 2 } };
/* From the last one on: something hidden that counts calls is noticed by the results that it begins with, and not if all results are accepted
 * until it is past them. */
static const int64_t results[] = { 0 /* unknown */, LP_EMPTY, 2, 1, 0 };
enum { ARGUMENTS = sizeof arguments / sizeof *arguments, RESULTS = sizeof results / sizeof *results };

struct tester {
	const struct lp_spec *spec;
	struct variables variables;
	char *copy;
	struct lp_state state[STATES], scratch;
	uint32_t states;
	struct {
		LP_VEC(struct trial);
	} trials;
};

static enum lp_answer run(struct tester *t, const struct trial *x)
{
	const struct lp_method *m = &t->spec->kind->methods[x->method];
	struct lp_spec_call call = { .arg = arguments[x->args], .args = m->args, .thread = x->thread, .choice = x->choice,
				     .results = m->result != LP_NOTHING, .result = x->result ? &results[x->result] : NULL };

	lp_state_copy(&t->scratch, &t->state[x->state]);
	return lp_spec_step(t->spec, x->method, &t->scratch, &call);
}

static bool is_same(struct tester *t, const struct trial *x)
{
	return run(t, x) == x->answer && (x->answer != LP_ACCEPTS || lp_state_equal(&t->scratch, &x->next));
}

static void add_state(struct tester *t, const struct lp_state *s)
{
	for (uint32_t i = 0; i < t->states; i++)
		if (lp_state_equal(&t->state[i], s))
			return;
	if (t->states == STATES)
		return;
	lp_state_open(&t->state[t->states]);
	lp_state_copy(&t->state[t->states++], s);
}

static enum verdict try_call(struct tester *t, struct trial x)
{
	lp_state_open(&x.next);
	x.answer = run(t, &x);
	lp_state_copy(&x.next, &t->scratch);
	keep(&t->variables, t->copy);
	const bool same = is_same(t, &x);
	LP_PUSH(&t->trials, x);
	if (!are_kept(&t->variables, t->copy))
		return CHANGES;
	if (x.answer == LP_ACCEPTS)
		add_state(t, &x.next);
	return same ? PURE : DIFFERS;
}

static enum verdict try_method(struct tester *t, uint32_t state, uint32_t method)
{
	const struct lp_method *m = &t->spec->kind->methods[method];
	const uint8_t known = m->result == LP_VALUES ? 1 : m->result == LP_NOTHING ? 2 : RESULTS; /* of how many it is one */
	enum verdict verdict = PURE;

	for (uint8_t a = 0; a < (m->args ? ARGUMENTS : 1); a++)
		for (uint8_t r = known; r-- > 0;)
			for (uint8_t choice = 0; choice < (m->roles & LP_CHOOSES ? 2 : 1) && verdict == PURE; choice++)
				verdict = try_call(t, (struct trial){ .state = state, .method = method, .args = a, .result = r,
								      .thread = a & 1, .choice = choice });
	return verdict;
}

/* In the order in which states are found; then some of them again and again, in another order. */
static enum verdict test(struct tester *t, uint32_t *method)
{
	enum verdict verdict = PURE;

	lp_state_open(&t->scratch);
	lp_state_begin(&t->scratch, t->spec);
	add_state(t, &t->scratch);
	for (uint32_t s = 0; s < t->states; s++)
		for (*method = 0; *method < t->spec->kind->method_count; ++*method)
			if ((verdict = try_method(t, s, *method)) != PURE)
				return verdict;
	for (uint64_t i = 0; i < 4 * (uint64_t)t->trials.count; i++) {
		const struct trial *x = &t->trials.at[lp_mix(i) % t->trials.count];
		*method = x->method;
		if (!is_same(t, x))
			return DIFFERS;
	}
	return PURE;
}

/* The child process.  It frees nothing and prints nothing: if the specification crashes here, it will do so in the
 * check, too. */
static _Noreturn void test_alone(const struct lp_spec *spec, const struct variables *variables, struct finding *out)
{
	struct tester t = { .spec = spec, .variables = *variables };
	uint32_t method = 0;
	size_t size = 1;

	alarm(SECONDS);
	if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
		_exit(1);
	for (uint32_t i = 0; i < PARTS; i++)
		size += variables->part[i].size;
	t.copy = lp_alloc(size);
	const enum verdict verdict = test(&t, &method);
	*out = (struct finding){ verdict, method };
	_exit(0);
}

/* PURE also if this cannot be decided. */
static struct finding find(const struct lp_spec *spec, const struct variables *variables)
{
	struct finding *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED)
		return (struct finding){ PURE, 0 };
	fflush(NULL);
	const pid_t child = fork();
	if (child == 0)
		test_alone(spec, variables, shared);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	const struct finding found = *shared;
	munmap(shared, sizeof *shared);
	return found;
}

bool lp_spec_refuse_impure(const struct lp_spec *spec, const char *shared, void *handle, struct lp_error *error)
{
	static const char *const what[] = {
		[CHANGES] = "changes a variable", [DIFFERS] = "does not always answer the same call in the same state alike",
	};
	const struct variables variables = variables_of(shared, handle);
	const struct finding found = find(spec, &variables);
	char name[32];

	if (found.verdict == PURE)
		return true;
	lp_method_name(&spec->kind->methods[found.method], name);
	return lp_fail(error, "the specification '%s' keeps something outside its state: '%s' %s", spec->kind->name, name,
		       what[found.verdict]);
}
