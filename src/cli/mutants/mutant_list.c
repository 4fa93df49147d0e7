/* mutant_list.c -- lists the mutants of an object. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/child_process.h"
#include "base/error.h"
#include "cli/mutants/mutants.h"
#include "frontend/abi.h"
#include "frontend/compile/command.h"
#include "verify/interrupt.h"

enum { MOST = 1 << 14 };

static const struct operation {
	const char *name, *does, *means;
} operations[] = {
#define LP_MUTATION(name, text, does, means) { text, does, means },
#include "frontend/mutants.def"
#undef LP_MUTATION
};
enum { OPERATIONS = sizeof operations / sizeof *operations, ORDER = 0 };

static const struct operation *operation_named(const char *name, size_t length)
{
	for (size_t i = 0; i < OPERATIONS; i++)
		if (strlen(operations[i].name) == length && !strncmp(operations[i].name, name, length))
			return &operations[i];
	return NULL;
}

/* --operators: a bit for each. */
static bool take_operators(const struct lp_options *o, unsigned *wanted, struct lp_error *error)
{
	const char *word = o->at[LP_OPT_OPERATORS].text;

	*wanted = word ? 0 : UINT32_MAX;
	while (word) {
		const size_t length = strcspn(word, ",");
		const struct operation *found = operation_named(word, length);
		if (!found)
			return lp_fail(error, "--operators: there is no '%.*s'; docs/mutants.md lists them", (int)length, word);
		*wanted |= 1u << (found - operations);
		word = word[length] ? word + length + 1 : NULL;
	}
	return true;
}

static void add(struct lp_mutants *m, unsigned wanted, const struct operation *o, struct lp_mutant mutant)
{
	if (!(wanted >> (o - operations) & 1))
		return;
	mutant.operation = o->name;
	mutant.change = mutant.change ? mutant.change : o->does;
	mutant.means = o->means;
	LP_PUSH(&m->all, mutant);
}

/* ---- those that are compiled ---- */

/* From the process that looks. */
struct look {
	bool good, looked;
	char error[sizeof((struct lp_error *)0)->text];
	uint8_t seen[MOST];
};

_Noreturn static void be_look(struct lp_mutants *m, struct look *look, pid_t parent)
{
	struct lp_error error = { .text = "" };

	lp_process_end_with(parent);
	lp_command_folder_disown();
	lp_interrupt_close();
	look->good = lp_mutants_look(m, look->seen, MOST, &error);
	look->looked = m->looked;
	memcpy(look->error, error.text, sizeof look->error);
	lp_check_close(&m->check);
	_exit(0);
}

static bool look(struct lp_mutants *m, struct look *look, struct lp_error *error)
{
	const struct timespec tick = { .tv_nsec = 20000000 };

	fflush(NULL);
	lp_interrupt_open();
	const pid_t parent = getpid(), child = fork();
	if (!child)
		be_look(m, look, parent);
	if (child < 0)
		return lp_fail(error, "cannot start a process: %s", strerror(errno));
	while (!waitpid(child, NULL, WNOHANG)) {
		if (lp_mutants_over(m))
			kill(child, SIGTERM);
		nanosleep(&tick, NULL);
	}
	lp_mutants_over(m);
	lp_interrupt_close();
	if (!look->good && !m->over)
		return lp_fail(error, "cannot list the mutants: %s", look->error[0] ? look->error : "the process ended early");
	return true;
}

/* A line of the list (ir/mutants/mutation.h); the texts stay in it. */
static bool take_line(struct lp_mutants *m, unsigned wanted, char *line, unsigned seen)
{
	enum { NAME, OPERATION, FILE_, LINE, FUNCTION, DETAIL, FIELDS };
	const char *field[FIELDS];

	line[strcspn(line, "\n")] = '\0';
	for (int i = 0; i < FIELDS; i++) {
		field[i] = line ? strsep(&line, "\t") : NULL;
		if (!field[i])
			return false;
	}
	const struct operation *o = operation_named(field[OPERATION], strlen(field[OPERATION]));
	if (!o)
		return false;
	add(m, wanted, o, (struct lp_mutant){
		.name = field[NAME], .path = field[FILE_], .line = (uint32_t)strtoul(field[LINE], NULL, 10),
		.function = field[FUNCTION], .detail = field[DETAIL], .compiled = true, .seen = seen });
	return true;
}

static bool read_list(struct lp_mutants *m, unsigned wanted, const uint8_t *seen, struct lp_error *error)
{
	char path[96], *line = NULL;
	size_t room = 0;
	uint32_t number = 0;
	bool good = true;

	snprintf(path, sizeof path, "%s.list", m->kept);
	FILE *in = fopen(path, "re");
	if (!in)
		return lp_fail(error, "cannot read '%s': %s", path, strerror(errno));
	while (good && getline(&line, &room, in) > 0) {
		good = take_line(m, wanted, lp_arena_strdup(&m->arena, line), number < MOST ? seen[number] : 3);
		number++;
	}
	free(line);
	fclose(in);
	return good || lp_fail(error, "cannot read '%s': not a list of mutants", path);
}

static bool list_compiled(struct lp_mutants *m, unsigned wanted, struct lp_error *error)
{
	struct look *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED)
		return lp_fail(error, "cannot get memory to share: %s", strerror(errno));
	const bool good = lp_command_folder_open(m->folder, error) &&
			  snprintf(m->kept, sizeof m->kept, "%s/object", m->folder) && look(m, shared, error) &&
			  (!shared->good || read_list(m, wanted, shared->seen, error));
	m->looked = shared->looked;
	munmap(shared, sizeof *shared);
	return good;
}

/* ---- memory orders ---- */

static void add_order(struct lp_mutants *m, unsigned wanted, uint32_t choice, enum lp_order order)
{
	const struct lp_site_choice *c = &m->choices.at[choice];
	const char *now = lp_order_name(c->use, c->now), *then = lp_order_name(c->use, order);
	struct lp_arena *arena = &m->arena;
	char name[320], detail[128];

	snprintf(name, sizeof name, "%s=%s", c->name, then);
	snprintf(detail, sizeof detail, "%s%s%s %s -> %s", c->operation, *c->variable ? " " : "", c->variable, now, then);
	add(m, wanted, &operations[ORDER], (struct lp_mutant){
		.change = c->use != LP_USE_FENCE ? NULL : order == LP_RLX ? "the fence is gone" : "the fence is weaker",
		.name = lp_arena_strdup(arena, name), .detail = lp_arena_strdup(arena, detail), .path = c->file,
		.line = c->line, .function = c->function, .choice = choice, .order = order,
		.seen = m->trial.reached[choice] ? LP_MUTANT_REACHED | LP_MUTANT_DIFFERS : 0 });
}

static void list_orders(struct lp_mutants *m, unsigned wanted)
{
	for (uint32_t i = 0; i < m->choices.count; i++) {
		const struct lp_site_choice *c = &m->choices.at[i];
		for (enum lp_order o = LP_SC; o >= LP_RLX && !lp_trial_is_other_case(&m->trial, i); o--)
			if (o != c->now && lp_order_fits(c->use, o) && lp_order_weaker(o, c->now))
				add_order(m, wanted, i, o);
	}
}

/* ---- all ---- */

static int by_place(const void *a, const void *b)
{
	const struct lp_mutant *x = a, *y = b;
	const int files = strcmp(x->path, y->path);

	if (files)
		return files;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->compiled != y->compiled)
		return x->compiled ? 1 : -1;
	return strcmp(x->name, y->name);
}

bool lp_mutants_list(struct lp_mutants *m, struct lp_error *error)
{
	unsigned wanted;

	if (!take_operators(m->options, &wanted, error))
		return false;
	list_orders(m, wanted);
	if (wanted & ~(1u << ORDER) && !list_compiled(m, wanted, error))
		return false;
	if (m->all.count)
		qsort(m->all.at, m->all.count, sizeof *m->all.at, by_place);
	return true;
}
