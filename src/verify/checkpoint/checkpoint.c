/* checkpoint.c -- writes the rest of an exploration to a file, and continues from such a file. */
#include "verify/checkpoint/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explore/clock.h"
#include "explore/parallel/team.h"
#include "ranks/ranks.h"
#include "ranks/records.h"
#include "report/words.h"
#include "verify/checkpoint/checkpoint_identity.h"
#include "verify/task/task.h"

enum { CHECKPOINT = 300 }; /* the tag of a message: the file */
static const double SECONDS_BETWEEN = 60;

/* ---- totals ---- */

static void put_totals(const struct lp_checkpoint_totals *t, struct lp_bytes *to)
{
	const uint64_t numbers[] = { t->clients, t->executions, t->blocked, t->abandoned, t->cut, t->distinct, t->mistaken,
				     t->inspects, t->tells_apart };

	lp_bytes_put(to, numbers, sizeof numbers);
	lp_bytes_put(to, &t->seconds, sizeof t->seconds);
}

static bool get_totals(struct lp_checkpoint_totals *t, struct lp_cursor from)
{
	uint64_t n[6];

	lp_cursor_get(&from, n, sizeof n);
	*t = (struct lp_checkpoint_totals){ n[0], n[1], n[2], n[3], n[4], n[5], false, false, false, 0 };
	t->mistaken = lp_cursor_number(&from, true);
	t->inspects = lp_cursor_number(&from, true);
	t->tells_apart = lp_cursor_number(&from, true);
	lp_cursor_get(&from, &t->seconds, sizeof t->seconds);
	return lp_cursor_ended(&from) && t->seconds >= 0;
}

/* ---- writing ---- */

/* In ranks other than rank 0, which writes the file. */
static void leave(void *closure, const struct lp_bytes *exploration)
{
	struct lp_checkpoint *c = closure;

	(void)exploration;
	c->keep.next = lp_clock_seconds() + c->keep.every;
}

/* The callback of lp_keep: writes a checkpoint.  `exploration` is empty if the current exploration has not begun. */
static void take(void *closure, const struct lp_bytes *exploration)
{
	struct lp_checkpoint *c = closure;
	struct lp_checkpoint_totals t = c->totals;
	struct lp_bytes totals = { 0 }, program = { 0 };
	struct lp_error error;

	t.seconds += lp_task_seconds(c->task);
	put_totals(&t, &totals);
	lp_native_write(&c->task->native, &program);
	const struct lp_checkpoint_parts parts = { .at = {
		[LP_CHECKPOINT_IDENTITY] = { c->identity.at, c->identity.count, false },
		[LP_CHECKPOINT_TOTALS] = { totals.at, totals.count, false },
		[LP_CHECKPOINT_PROGRAM] = { program.at, program.count, false },
		[LP_CHECKPOINT_EXPLORATION] = { exploration->at, exploration->count, false },
	} };
	const bool written = lp_checkpoint_write(&c->file, &parts, &error);
	c->kept |= written;
	c->lost = written ? NULL : lp_arena_strdup(&c->task->arena, error.text);
	c->keep.next = lp_clock_seconds() + c->keep.every;
	lp_free(totals.at);
	lp_free(program.at);
}

/* ---- opening ---- */

/* Can the options be combined with a checkpoint? */
static bool fits(const struct lp_task *task, struct lp_error *error)
{
	const char *name = lp_task_given(task, LP_OPT_CHECKPOINT) ? "checkpoint" : "resume";

	if (task->explore.sampling.executions || lp_is_bounded(&task->explore))
		return lp_fail(error, "--%s cannot be combined with --%s", name,
			       task->explore.sampling.executions ? "random" : task->explore.bounds.preemptions ? "preemptions" :
			       task->explore.bounds.delays ? "delays" : "rounds");
	if (lp_task_given(task, LP_OPT_FIT))
		return lp_fail(error, "--%s: not with --fit", name);
	return true;
}

/* Rank 0 sends it to the other machines, which need not have the file. */
static bool read_and_send(struct lp_checkpoint *c, const char *path, struct lp_error *error)
{
	const struct lp_cursor now = { c->identity.at, c->identity.count, false };
	struct lp_ranks *r = c->task->options->ranks;

	if (!lp_checkpoint_read(path, &c->bytes, &c->parts, error) ||
	    !lp_checkpoint_is_same(path, c->parts.at[LP_CHECKPOINT_IDENTITY], now, error))
		return false;
	if (!lp_team_is_together(c->task->explore.team))
		return true;
	if (c->bytes.count > LP_RANKS_MOST)
		return lp_fail(error, "cannot resume from '%s': it is too large for several machines", path);
	for (uint32_t i = 1; i < lp_ranks_count(r); i++)
		if (lp_ranks_leader(r, i) == i)
			lp_ranks_send(r, i, CHECKPOINT, c->bytes.at, c->bytes.count);
	return true;
}

static bool receive(struct lp_checkpoint *c, const char *path, struct lp_error *error)
{
	struct lp_ranks *r = c->task->options->ranks;
	struct lp_message m;

	while (!lp_ranks_receive(r, &m, -1))
		;
	lp_bytes_put(&c->bytes, m.bytes, m.size);
	if (m.tag != CHECKPOINT || !lp_checkpoint_parse(c->bytes.at, c->bytes.count, path, &c->parts, error))
		LP_BUG("the checkpoint of rank 0 cannot be read");
	lp_message_drop(&m);
	return true;
}

static bool resume(struct lp_checkpoint *c, const char *path, struct lp_error *error)
{
	const struct lp_cursor *at = c->parts.at;

	if (!(lp_task_follows(c->task) ? receive : read_and_send)(c, path, error))
		return false;
	const struct lp_cursor program = at[LP_CHECKPOINT_PROGRAM], exploration = at[LP_CHECKPOINT_EXPLORATION];
	c->resumes = get_totals(&c->from, at[LP_CHECKPOINT_TOTALS]) && lp_native_merge(&c->task->native, program.at, program.left) &&
		     (!exploration.left || lp_keep_is_whole(&c->task->explore, exploration));
	return c->resumes || lp_fail(error, "cannot resume from '%s': it is damaged", path);
}

bool lp_checkpoint_open(struct lp_task *task, const struct lp_digest *spec, struct lp_error *error)
{
	const struct lp_option_value *to = &task->options->at[LP_OPT_CHECKPOINT], *from = &task->options->at[LP_OPT_RESUME];
	const struct lp_option_value *every = &task->options->at[LP_OPT_EVERY];

	if (!to->given && !from->given)
		return !every->given || lp_fail(error, "--every requires --checkpoint FILE");
	if (!fits(task, error))
		return false;
	struct lp_checkpoint *c = task->checkpoint = lp_arena_alloc(&task->arena, sizeof *c);
	*c = (struct lp_checkpoint){ .task = task, .file.path = to->given ? to->text : from->text };
	c->keep = (struct lp_keep){ .every = every->given ? every->seconds : SECONDS_BETWEEN, .take = take, .closure = c };
	c->keep.next = lp_clock_seconds() + c->keep.every;
	if (lp_task_follows(task)) {
		c->keep.take = leave;
		return !from->given || resume(c, from->text, error);
	}
	lp_checkpoint_identify(task, spec, &c->identity);
	return lp_checkpoint_file_open(&c->file, from->given ? from->text : NULL, error) && (!from->given || resume(c, from->text, error));
}

void lp_checkpoint_close(struct lp_checkpoint *c)
{
	if (!c)
		return;
	lp_checkpoint_file_close(&c->file);
	lp_free(c->identity.at);
	lp_free(c->bytes.at);
}

/* ---- explorations ---- */

bool lp_checkpoint_passes_over(const struct lp_checkpoint *c, uint64_t clients)
{
	return c && !c->over && c->resumes && clients < c->from.clients;
}

/* Takes a checkpoint of the beginning of the current exploration. */
static void take_beginning(struct lp_checkpoint *c)
{
	const struct lp_cursor from = c->resumed ? c->parts.at[LP_CHECKPOINT_EXPLORATION] : (struct lp_cursor){ 0 };
	struct lp_bytes bytes = { 0 };

	lp_bytes_put(&bytes, from.at, from.left);
	c->keep.take(c, &bytes);
	lp_free(bytes.at);
}

bool lp_checkpoint_reaches(struct lp_checkpoint *c, uint64_t clients)
{
	if (!c || !c->resumes || clients != c->from.clients)
		return false;
	c->reached = true;
	return true;
}

void lp_checkpoint_begin(struct lp_checkpoint *c, struct lp_checkpoint_totals *totals)
{
	if (!c || c->over)
		return;
	/* The client may be a later one, if those before it were completed by the brief look, which is repeated after a
	 * resume. */
	c->resumed = c->resumes && totals->clients <= c->from.clients;
	if (c->resumed) {
		*totals = c->from;
		c->keep.from = c->parts.at[LP_CHECKPOINT_EXPLORATION];
	}
	c->reached = true;
	c->resumes = false;
	c->kept = false;
	c->totals = *totals;
	c->totals.seconds = c->from.seconds;
	if (lp_keep_is_due(&c->keep)) /* also between clients, since small ones may end before the next checkpoint is due */
		take_beginning(c);
	c->task->explore.limits.keep = &c->keep;
}

static bool is_ended(const struct lp_exploration *e)
{
	return e->verdict != LP_INCONCLUSIVE || e->kind;
}

void lp_checkpoint_end(struct lp_checkpoint *c, const struct lp_exploration *e)
{
	if (!c || c->over)
		return;
	c->task->explore.limits.keep = NULL;
	c->keep.from = (struct lp_cursor){ 0 };
	c->ended = is_ended(e);
	/* Nothing was explored, or one execution took too long. */
	if (!c->ended && !c->kept && !c->lost)
		take_beginning(c);
}

bool lp_checkpoint_finish(struct lp_checkpoint *c, const struct lp_exploration *last, struct lp_error *error)
{
	if (!c)
		return true;
	c->over = true;
	c->ended = is_ended(last);
	/* Every client was explored, but what was checked after that is not finished. */
	if (!c->ended && !c->resumes && !c->kept && !c->lost)
		take_beginning(c);
	return !c->resumes || c->reached ||
	       lp_fail(error, "cannot resume from '%s': it has more clients than there are", c->task->options->at[LP_OPT_RESUME].text);
}

/* ---- what is said of it ---- */

/* The words of the command line, with --resume at the end of the options. */
static const char *say_how_to_go_on(const struct lp_checkpoint *c)
{
	const struct lp_options *o = c->task->options;
	char *words = NULL;
	size_t size;
	FILE *out = open_memstream(&words, &size);
	int i = 0;

	fprintf(out, "to go on: linchpin %s", lp_options_command(o));
	for (; i < o->word_count && strcmp(o->words[i], "--"); i++) {
		const bool resumes = !strncmp(o->words[i], "--resume", 8);
		if (resumes && !o->words[i][8])
			i++; /* the argument is a word of its own */
		if (resumes)
			continue;
		putc(' ', out);
		lp_words_shell(out, o->words[i]);
	}
	fputs(" --resume ", out);
	lp_words_shell(out, c->file.path);
	for (; i < o->word_count; i++) {
		putc(' ', out);
		lp_words_shell(out, o->words[i]);
	}
	fclose(out);
	const char *kept = lp_arena_strdup(&c->task->arena, words);
	free(words);
	return kept;
}

void lp_checkpoint_show(struct lp_checkpoint *c, struct lp_result *r)
{
	if (!c)
		return;
	if (lp_task_given(c->task, LP_OPT_RESUME))
		lp_task_scope(c->task, "resumed", "from '%s', after %.1f s", c->task->options->at[LP_OPT_RESUME].text, c->from.seconds);
	if (c->lost)
		c->task->warnings[r->warning_count++] = c->lost;
	if (c->file.held && c->ended)
		lp_checkpoint_file_remove(&c->file);
	else if (c->file.held)
		r->hint = say_how_to_go_on(c);
}

bool lp_checkpoint_wants(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (!strncmp(argv[i], "--checkpoint", 12) || !strncmp(argv[i], "--resume", 8))
			return true;
	return false;
}
