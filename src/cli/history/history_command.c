/* history_command.c -- `linchpin history`: check recorded histories.
 *
 * Reads and checks each file, and converts the findings for the reports.  A file that cannot be read
 * does not prevent the others from being checked.
 */
#include "verify/task/counting.h"
#include "cli/commands.h"
#include "cli/deliver.h"
#include "cli/history/history_jobs.h"
#include "cli/history/history_report.h"
#include "cli/history/history_txn.h"
#include "cli/history/history_words.h"
#include "verify/interrupt.h"
#include "verify/task/own_spec.h"
#include "verify/usage.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/errors.h"
#include "base/memory.h"
#include "check/counting/ak.h"
#include "check/history/history_check.h"
#include "check/property.h"
#include "check/quasi/quasi.h"
#include "check/sort.h"
#include "check/txn/level.h"
#include "check/txn/txn_spec.h"
#include "check/weak/weak.h"
#include "history/history.h"
#include "ranks/ranks.h"
#include "report/formats/html.h"
#include "report/results/histories.h"
#include "report/text/progress.h"
#include "report/text/terminal.h"
#include "spec/spec.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	TEXT_ROOM = 512,
	EXPLAIN_SECONDS = 5,
	STREAM_SECONDS = 10, /* for a check of the input that has arrived so far */
	MANY = 1 << 18,     /* this number of calls takes noticeable time in every phase */
};

struct run {
	const struct lp_options *options;
	struct lp_spec spec;
	void *own; /* the specification's shared object, if it is the user's */
	struct lp_check_options check;
	struct lp_quasi quasi;
	const struct lp_txn_level *level; /* of transactions; NULL: these are calls of an object */
	struct lp_weak weak;
	struct lp_counting counting;
	enum lp_format format;
	struct lp_terminal terminal;
	struct lp_histories_result result;
	struct lp_progress_line line;
	double start, looked; /* when the line was last written */
	uint64_t lines, bytes; /* of the file that is being read */
	const char *unread;    /* why it was not read to its end; or NULL */
	jmp_buf enough;        /* where the file is left if memory is at its end */
	struct lp_arena arena; /* everything that the result points to */
	struct lp_history_words words;
	struct lp_history_jobs *ahead; /* -j, or several ranks; or NULL */
};

static bool given(const struct run *run, enum lp_option_id id)
{
	return run->options->at[id].given;
}

static bool orders_ties(const struct run *run)
{
	return given(run, LP_OPT_TIES) && run->options->at[LP_OPT_TIES].count;
}

static void escape(void *closure)
{
	struct run *run = closure;

	longjmp(run->enough, 1);
}

/* Serves the other processes, which must not wait while this one is busy.  Meanwhile a failed allocation must not jump out of
 * here, since messages would be left half read. */
static void keep_others_busy(struct run *run)
{
	if (!run->ahead)
		return;
	lp_alloc_on_failure(NULL, NULL);
	lp_history_jobs_turn(run->ahead, false);
	lp_alloc_on_failure(escape, run);
}

/* Called from time to time during a search: shows the progress, and says whether to go on. */
static bool go_on(void *closure, uint64_t steps)
{
	struct run *run = closure;
	const double now = lp_usage_seconds();

	if (steps && run->line.shown && now - run->looked > 0.1) {
		run->looked = now;
		run->line.memory_kb = lp_memory_resident_kb();
		lp_progress_line_show(&run->line, &(struct lp_progress_made){ .executions = steps,
									    .seconds = now - run->start - run->line.before });
	}
	keep_others_busy(run);
	if (lp_memory_look())
		longjmp(run->enough, 1);
	return !lp_interrupt_reason();
}

/* The same while a file is read. */
static bool read_on(void *closure, uint64_t lines, uint64_t bytes, uint64_t size)
{
	struct run *run = closure;
	const struct lp_option_value *time = &run->options->at[LP_OPT_TIME];
	const double now = lp_usage_seconds();
	const bool moved = lines != run->lines || bytes != run->bytes; /* or input is typed */
	struct lp_progress_line line = run->line;

	run->lines = lines;
	run->bytes = bytes;
	keep_others_busy(run);
	if (line.shown && moved && now - run->looked > 0.1) {
		const double share = size ? (double)bytes / (double)size : 0;
		run->looked = now;
		line.unit = lines ? "lines read" : "bytes read";
		lp_progress_line_show(&line, &(struct lp_progress_made){
						     .executions = lines ? lines : bytes,
						     .estimate = lines ? (double)lines / share : (double)size,
						     .seconds = now - run->start - line.before });
		run->line.dirty |= line.dirty;
	}
	run->unread = lp_interrupt_reason();
	if (!run->unread && time->given && now - run->start > time->seconds)
		run->unread = "out of time";
	if (!run->unread && lp_memory_look())
		run->unread = lp_memory_reason();
	return !run->unread;
}

/* Shows what is done next, if the file is long. */
static void tell_phase(struct run *run, const char *what)
{
	char text[sizeof run->line.phase + 32];

	snprintf(text, sizeof text, "%s: %s", run->line.phase, what);
	lp_progress_line_write(&run->line, text);
}

/* "history 2 of 7", for the progress line. */
static void tell_file(struct run *run, const char *name, uint32_t i, uint32_t count)
{
	run->line.before = lp_usage_seconds() - run->start;
	if (count > 1)
		snprintf(run->line.phase, sizeof run->line.phase, "history %u of %u", i + 1, count);
	else
		snprintf(run->line.phase, sizeof run->line.phase, "history");
	if (!strcmp(name, "-"))
		tell_phase(run, "reading"); /* it may be typed */
}

/* A file of the user's. */
static bool take_own_spec(struct run *run, struct lp_error *error)
{
	const char *params;
	const struct lp_kind *kind = lp_own_spec_read(run->options->at[LP_OPT_SPEC].text, run->options,
						      &params, &run->own, error);

	return kind && lp_spec_of(&run->spec, kind, params, error);
}

/* Transactions have properties of their own. */
static bool take_level(struct run *run, struct lp_error *error)
{
	const struct lp_option_value *prop = &run->options->at[LP_OPT_HISTORY_PROP];

	if (given(run, LP_OPT_AK) || given(run, LP_OPT_FORMULAE) || given(run, LP_OPT_GRAMMAR))
		return lp_fail(error, "transactions are not counted: no --ak");
	run->level = lp_txn_level_named(prop->given ? prop->text : "strict-serializable", error);
	return run->level;
}

static const char *claim_of(const struct run *run)
{
	return run->level ? run->level->claim : lp_property_claim(run->check.property, &run->weak);
}

static bool take_spec(struct run *run, struct lp_error *error)
{
	const struct lp_option_value *spec = &run->options->at[LP_OPT_SPEC];
	const char *params;

	if (!spec->given) {
		lp_fail(error, "no specification given: --spec KIND");
		snprintf(error->hint, sizeof error->hint, "'linchpin specs' lists the kinds");
		return false;
	}
	if (lp_txn_spec_is(spec->text, &params))
		return take_level(run, error) && lp_spec_of(&run->spec, &lp_txn_spec, params, error);
	if (lp_own_spec_is_file(spec->text))
		return take_own_spec(run, error);
	if (run->options->flag_count)
		return lp_fail(error, "nothing is compiled here: what is '-- %s' for?", run->options->flags[0]);
	return lp_spec_parse(&run->spec, spec->text, error);
}

static bool take_options(struct run *run, struct lp_error *error)
{
	const struct lp_options *o = run->options;
	static const char *const formats[] = { "auto", "json", "table", "edn", "etcd", "kv" };

	if (!take_spec(run, error))
		return false;
	if (given(run, LP_OPT_HISTORY_PROP) && !run->level &&
	    !lp_property_parse(o->at[LP_OPT_HISTORY_PROP].text, &run->spec, &run->check.property,
			       &run->quasi, &run->weak, error))
		return false;
	if (given(run, LP_OPT_AK) && run->check.property != LP_LINEARIZABLE)
		return lp_fail(error, "--ak is about linearizability: no --prop %s",
			       o->at[LP_OPT_HISTORY_PROP].text);
	if (!run->level && !lp_counting_open(&run->counting, o, run->spec.kind, error))
		return false;
	/* The words of --format are those of the reader. */
	lp_format_named(formats[o->at[LP_OPT_FORMAT].count], &run->format);
	run->check.memory = SIZE_MAX; /* the limit is that of the process */
	run->check.quasi = &run->quasi;
	run->check.weak = &run->weak;
	run->check.go_on = go_on;
	run->check.closure = run;
	run->check.jobs = given(run, LP_OPT_JOBS) ? (uint32_t)o->at[LP_OPT_JOBS].count : 1;
	run->check.explain = !given(run, LP_OPT_QUIET) || given(run, LP_OPT_JSON) ||
			     lp_deliver_wanted(o) || given(run, LP_OPT_HTML);
	run->result.spec = o->at[LP_OPT_SPEC].text;
	run->result.prop = given(run, LP_OPT_HISTORY_PROP) ? o->at[LP_OPT_HISTORY_PROP].text :
			   run->level			   ? run->level->name :
							     "linearizable";
	return true;
}

/* The time of --time that is left for the next file; false if there is none. */
static bool budget(struct run *run)
{
	const struct lp_option_value *time = &run->options->at[LP_OPT_TIME];

	if (time->given)
		run->check.seconds = time->seconds - (lp_usage_seconds() - run->start);
	return !time->given || run->check.seconds > 0;
}

static const char *keep(struct run *run, const char *text)
{
	return lp_arena_strdup(&run->arena, text);
}

static void fill_result(struct run *run, const struct lp_history *h,
			const struct lp_check_result *r, struct lp_history_result *out)
{
	static const enum lp_result_verdict verdicts[] = {
		[LP_CORRECT] = LP_RESULT_VERIFIED,
		[LP_WRONG] = LP_RESULT_VIOLATION,
		[LP_UNDECIDED] = LP_RESULT_INCONCLUSIVE,
	};
	char text[TEXT_ROOM];

	out->verdict = verdicts[r->finding];
	snprintf(text, sizeof text, "not %s", claim_of(run));
	out->kind = keep(run, text);
	out->error = !run->level && run->check.property == LP_LINEARIZABLE ? LP_ERROR_NOT_LINEARIZABLE : LP_ERROR_NONE;
	snprintf(text, sizeof text, "%s%s", r->reason,
		 h->is_cut ? " (what follows in the stream was not read)" : "");
	out->text = r->reason[0] ? keep(run, text) : NULL;
	out->method = keep(run, r->method);
	out->parts = r->parts;
	out->steps = r->steps;
	if (r->finding == LP_WRONG && r->core_count)
		out->violation = lp_history_words_violation(&run->words, h, r, h->name);
}

/* For the page: what smaller k would have seen, and when. */
static void fill_counted(struct run *run, const struct lp_history *h,
			 const struct lp_ak_options *asked, const struct lp_ak_result *found,
			 struct lp_history_result *out)
{
	struct lp_counted_result *at = lp_arena_alloc(&run->arena, sizeof *at * (asked->k + 1));
	struct lp_ak_options options = *asked;
	struct lp_error error = { .hint = "" };
	struct lp_ak_result r;

	out->counted = at;
	for (options.k = 0; options.k <= asked->k && budget(run); options.k++) {
		options.seconds = run->check.seconds;
		if (options.k == asked->k)
			r = *found;
		else if (!lp_ak_check(h, &run->spec, &options, &r, &error))
			return;
		at[options.k] = (struct lp_counted_result){ .k = options.k, .seen = r.violated,
						     .events = r.events };
		if (r.reason[0])
			at[options.k].text = keep(run, r.reason);
		if (r.violated) {
			at[options.k].thread = h->at[r.call].thread;
			at[options.k].line = h->at[r.call].line;
		}
		out->counted_count++;
	}
}

/* Counters do not know which calls they counted.  So the history itself is checked for a few seconds, to show which calls are wrong. */
static void explain_counts(struct run *run, const struct lp_history *h,
			   struct lp_history_result *out)
{
	struct lp_check_options options = run->check;
	struct lp_check_result r;
	struct lp_error error;

	if (!(options.seconds > 0 && options.seconds < (double)EXPLAIN_SECONDS))
		options.seconds = EXPLAIN_SECONDS;
	if (!options.explain || !lp_history_check(h, &run->spec, &options, &r, &error))
		return;
	if (r.finding == LP_WRONG && r.core_count)
		out->violation = lp_history_words_violation(&run->words, h, &r, h->name);
	lp_check_result_close(&r);
}

/* Checks by counting, which can show that a history is wrong, but not that it is correct. */
static bool check_counts(struct run *run, const struct lp_history *h,
			 struct lp_history_result *out, struct lp_error *error)
{
	const unsigned k = (unsigned)run->options->at[LP_OPT_AK].count;
	const struct lp_ak_options options = { .k = k,
					       .mode = k > LP_AK_MOST_COMPLETE ? LP_AK_RULES : LP_AK_COMPLETE,
					       .formulae = run->counting.formulae,
					       .kernel = run->counting.kernel,
					       .seconds = run->check.seconds,
					       .go_on = go_on, .closure = run };
	struct lp_ak_result r;
	char text[512];

	if (!lp_ak_check(h, &run->spec, &options, &r, error))
		return false;
	snprintf(text, sizeof text, "A_%u, by %s", options.k, r.method);
	out->method = keep(run, text);
	out->steps = r.events;
	out->verdict = r.violated ? LP_RESULT_VIOLATION : LP_RESULT_INCONCLUSIVE;
	out->error = LP_ERROR_NOT_LINEARIZABLE;
	if (run->counting.file) {
		char claim[TEXT_ROOM];
		snprintf(claim, sizeof claim, "as '%s' demands", run->counting.file);
		out->claim = keep(run, claim);
		out->error = LP_ERROR_NOT_DEMANDED;
	}
	out->kind = lp_error_name(out->error);
	if (r.violated)
		snprintf(text, sizeof text, "%s (seen at the end of the call of line %u)", r.reason,
			 h->at[r.call].line);
	else
		snprintf(text, sizeof text, "undecided: A_%u sees nothing wrong, and does not see everything%s%s",
			 options.k, r.reason[0] ? ": " : "", r.reason);
	out->text = keep(run, text);
	if (given(run, LP_OPT_HTML))
		fill_counted(run, h, &options, &r, out);
	if (r.violated && !run->counting.file)
		explain_counts(run, h, out);
	return true;
}

static bool check_history(struct run *run, const struct lp_history *h,
			  struct lp_history_result *out, struct lp_error *error)
{
	struct lp_check_result r;

	lp_history_count(h, out);
	if (lp_interrupt_reason()) {
		out->verdict = LP_RESULT_INCONCLUSIVE;
		out->text = "undecided: interrupted";
		return true;
	}
	if (!budget(run)) {
		out->verdict = LP_RESULT_INCONCLUSIVE;
		out->text = "undecided: out of time";
		return true;
	}
	if (h->count >= MANY)
		tell_phase(run, "checking");
	if (given(run, LP_OPT_AK))
		return check_counts(run, h, out, error);
	if (run->level)
		return lp_txn_history_check(&run->words, h, run->level, &run->check, out, error);
	if (!lp_history_check(h, &run->spec, &run->check, &r, error))
		return false;
	fill_result(run, h, &r, out);
	lp_check_result_close(&r);
	return true;
}

/* For very many calls in a file that can be read again: checks them without keeping them.  If they are wrong, they are read
 * once more. */
static bool is_right_lean(struct run *run, const char *name, struct lp_history *h, struct lp_history_result *out)
{
	enum { VERY_MANY = 1 << 22 };
	struct lp_check_result r;

	if (h->count < VERY_MANY || !strcmp(name, "-") || given(run, LP_OPT_AK) || given(run, LP_OPT_HTML) ||
	    lp_interrupt_reason() || !budget(run))
		return false;
	lp_history_count(h, out);
	tell_phase(run, "checking");
	if (!lp_history_check_lean(h, &run->spec, &run->check, &r))
		return false;
	fill_result(run, h, &r, out);
	lp_check_result_close(&r);
	return true;
}

/* Are these calls, the first of a stream, wrong already? */
static bool is_wrong(void *closure, struct lp_history *so_far)
{
	struct run *run = closure;
	struct lp_check_options options = run->check;
	struct lp_check_result r;
	struct lp_error ignored;

	options.explain = false;
	options.seconds = STREAM_SECONDS;
	if (run->level)
		return budget(run) && lp_txn_history_is_wrong(so_far, &run->spec, run->level, &options);
	lp_history_fit(so_far, run->spec.kind); /* whose times are never equal */
	if (!budget(run) || !lp_history_check(so_far, &run->spec, &options, &r, &ignored))
		return false;
	const bool wrong = r.finding == LP_WRONG;
	lp_check_result_close(&r);
	return wrong;
}

/* If the beginning of a history is wrong, is the whole history wrong? */
static bool stays_wrong(const struct run *run)
{
	if (run->level)
		return run->level->base == LP_TXN_SERIAL && run->level->realtime;
	return run->check.property == LP_LINEARIZABLE && !given(run, LP_OPT_AK);
}

/* False if the error is set.  What was not read to its end is undecided. */
static bool read_and_check(struct run *run, const char *name, struct lp_history *h,
			   struct lp_history_result *out, struct lp_error *error, bool lean)
{
	const struct lp_read_watch watch = {
		read_on, run,
		stays_wrong(run) ? is_wrong : NULL,
	};
	char text[TEXT_ROOM];

	run->unread = NULL;
	run->lines = run->bytes = 0;
	if (run->level)
		lp_txn_history_open(h);
	if (lp_history_read_watched(h, name, run->format, &watch, error)) {
		if (!run->level)
			lp_history_fit(h, run->spec.kind);
		if (orders_ties(run) && !lp_history_order_ties(h, error))
			return false;
		const bool some = h->count;
		if (lean && is_right_lean(run, name, h, out))
			return true;
		if (h->count || !some)
			return check_history(run, h, out, error);
		lp_history_close(h); /* the calls were not kept, but the report needs them */
		return read_and_check(run, name, h, out, error, false);
	}
	if (!run->unread)
		return false;
	snprintf(text, sizeof text, "undecided: %s while it was read, after %llu %s", run->unread,
		 (unsigned long long)(run->lines ? run->lines : run->bytes),
		 run->lines ? "lines" : "bytes");
	out->verdict = LP_RESULT_INCONCLUSIVE;
	out->text = keep(run, text);
	return true;
}

static void leave_undecided(struct run *run, struct lp_history_result *out)
{
	char text[TEXT_ROOM];

	snprintf(text, sizeof text, "undecided: %s",
		 lp_memory_is_full() ? lp_memory_reason() : "out of memory");
	out->verdict = LP_RESULT_INCONCLUSIVE;
	out->text = keep(run, text);
}

/* The same within the limit on memory: the methods that need no search do not ask whether to go on,
 * so they are left by a jump out of the allocation that exceeds the limit.  Their memory is not freed. */
static bool check_within_limit(struct run *run, const char *name, struct lp_history *h,
			       struct lp_history_result *out, struct lp_error *error)
{
	const struct lp_option_value *memory = &run->options->at[LP_OPT_MEMORY];

	lp_memory_limit(memory->given ? memory->count << 10 : lp_usage_available_kb() / 4 * 3);
	lp_alloc_on_failure(escape, run);
	if (setjmp(run->enough)) {
		lp_alloc_on_failure(NULL, NULL);
		leave_undecided(run, out);
		return true;
	}
	const bool good = read_and_check(run, name, h, out, error, true);
	lp_alloc_on_failure(NULL, NULL);
	if (good && out->verdict == LP_RESULT_VERIFIED && lp_memory_look())
		leave_undecided(run, out);
	return good;
}

static void check_file(struct run *run, const char *name, struct lp_history_result *out)
{
	const double start = lp_usage_seconds();
	struct lp_history h = { 0 };
	struct lp_error error = { .hint = "" };

	*out = (struct lp_history_result){ .subject = strcmp(name, "-") ? name : "standard input",
					   .claim = claim_of(run) };
	if (!check_within_limit(run, name, &h, out, &error)) {
		out->verdict = LP_RESULT_ERROR;
		out->calls = 0;
		out->text = keep(run, error.text);
		lp_cli_refuse(false, &error);
	} else if (given(run, LP_OPT_HTML)) {
		lp_history_words_all(&run->words, &h, out);
	}
	if (out->verdict == LP_RESULT_VERIFIED && !out->calls)
		fprintf(stderr, "warning: there are no calls in '%s'\n", out->subject);
	lp_history_close(&h);
	out->seconds = lp_usage_seconds() - start;
	run->result.seconds = lp_usage_seconds() - run->start;
	run->result.peak_rss_kb = lp_usage_peak_rss_kb();
}

/* In a child: only whether it is correct. */
static void check_apart(void *closure, uint32_t i, struct lp_history_done *done)
{
	struct run *run = closure;
	struct lp_history_result r;

	run->check.explain = false;
	run->check.jobs = 1;
	run->line.shown = false;
	run->ahead = NULL;
	check_file(run, run->options->operands[i], &r);
	done->verdict = r.verdict;
	snprintf(done->text, sizeof done->text, "%s", r.text ? r.text : "");
	snprintf(done->method, sizeof done->method, "%s", r.method ? r.method : "");
	done->calls = r.calls;
	done->pending = r.pending;
	done->threads = r.threads;
	done->parts = r.parts;
	done->steps = r.steps;
	done->seconds = r.seconds;
}

/* -j, or ranks: several files at a time.  The standard input is for one, and a page wants all calls. */
static void check_ahead(struct run *run)
{
	const struct lp_options *o = run->options;
	const uint32_t jobs = given(run, LP_OPT_JOBS) ? (uint32_t)o->at[LP_OPT_JOBS].count : 1;

	for (int i = 0; i < o->operand_count; i++)
		if (!strcmp(o->operands[i], "-"))
			return;
	if (o->operand_count < 2 || given(run, LP_OPT_HTML) || given(run, LP_OPT_AK) || (jobs == 1 && !o->working))
		return;
	run->ahead = lp_history_jobs_open(o->working, jobs, (uint32_t)o->operand_count, check_apart, run);
}

/* The answer to the i-th file, if another process has given it. */
static const struct lp_history_done *await_answer(struct run *run, uint32_t i)
{
	char text[64];

	if (!run->ahead)
		return NULL;
	while (lp_history_jobs_turn(run->ahead, false), !lp_history_jobs_is_settled(run->ahead, i)) {
		snprintf(text, sizeof text, "%u of %d histories", lp_history_jobs_settled(run->ahead), run->options->operand_count);
		lp_progress_line_write(&run->line, text);
		lp_history_jobs_turn(run->ahead, true);
	}
	return lp_history_jobs_answer(run->ahead, i);
}

/* Uses the answer of a child process, if it is sufficient. */
static bool was_checked(struct run *run, const char *name, const struct lp_history_done *done,
			struct lp_history_result *out)
{
	if (!done || (done->verdict != LP_RESULT_VERIFIED && done->verdict != LP_RESULT_INCONCLUSIVE))
		return false;
	*out = (struct lp_history_result){
		.verdict = done->verdict,
		.subject = name,
		.claim = claim_of(run),
		.text = done->text[0] ? keep(run, done->text) : NULL,
		.method = done->method[0] ? keep(run, done->method) : NULL,
		.calls = done->calls, .pending = done->pending, .threads = done->threads,
		.parts = done->parts, .steps = done->steps, .seconds = done->seconds,
	};
	run->result.seconds = lp_usage_seconds() - run->start;
	run->result.peak_rss_kb = lp_usage_peak_rss_kb();
	if (done->verdict == LP_RESULT_VERIFIED && !done->calls)
		fprintf(stderr, "warning: there are no calls in '%s'\n", name);
	return true;
}

static int check_files(struct run *run)
{
	static const char *const standard[] = { "-" };
	const bool some = run->options->operand_count > 0;
	const char *const *names = some ? run->options->operands : standard;
	const uint32_t count = some ? (uint32_t)run->options->operand_count : 1;
	const bool json = given(run, LP_OPT_JSON);
	struct lp_history_result *at = lp_arena_alloc(&run->arena, sizeof *at * count);

	run->result.at = at;
	lp_interrupt_open();
	check_ahead(run);
	if (run->options->working && lp_ranks_self(run->options->working))
		return 0; /* it was not needed */
	for (uint32_t i = 0; i < count; i++) {
		const struct lp_history_done *done = await_answer(run, i);
		tell_file(run, names[i], i, count);
		if (!was_checked(run, names[i], done, &at[i]))
			check_file(run, names[i], &at[i]);
		lp_progress_line_erase(&run->line);
		run->result.count++;
		if (!json && at[i].verdict != LP_RESULT_ERROR)
			lp_terminal_history(&run->terminal, &run->result, &at[i], count > 1);
		fflush(stdout); /* the next one may take long */
	}
	lp_interrupt_close();
	lp_history_jobs_close(run->ahead);
	if (json)
		lp_json_histories(stdout, &run->result);
	else if (count > 1)
		lp_terminal_histories(&run->terminal, &run->result);
	if (given(run, LP_OPT_HTML) &&
	    !lp_html_histories(run->options->at[LP_OPT_HTML].text, &run->result))
		fprintf(stderr, "warning: the page could not be written\n");
	if (!lp_history_deliver(run->options, &run->result))
		return LP_EXIT_USAGE;
	return lp_cli_exit_status(lp_histories_verdict(&run->result));
}

int lp_cli_history(const struct lp_options *options)
{
	struct run run = { .options = options, .start = lp_usage_seconds(),
			   .terminal = lp_terminal_on(stdout) };
	struct lp_error error = { .hint = "" };

	run.words = (struct lp_history_words){ &run.arena, &run.spec };
	run.line = lp_progress_line_open(!given(&run, LP_OPT_QUIET) && !given(&run, LP_OPT_JSON));
	run.line.unit = "steps";
	run.terminal.quiet = given(&run, LP_OPT_QUIET);
	run.terminal.verbose = given(&run, LP_OPT_VERBOSE);
	const int status = take_options(&run, &error) ? check_files(&run) :
				lp_cli_refuse(given(&run, LP_OPT_JSON), &error);
	lp_counting_close(&run.counting);
	lp_arena_close(&run.arena);
	if (run.own)
		dlclose(run.own);
	return status;
}
