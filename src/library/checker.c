/* checker.c -- implements linchpin/history.h. */
#include "linchpin/history.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "check/history/history_check.h"
#include "check/property.h"
#include "check/quasi/quasi.h"
#include "check/txn/txn.h"
#include "check/txn/txn_spec.h"
#include "check/weak/weak.h"
#include "history/history.h"
#include "history/txns.h"
#include "spec/spec.h"

struct lp_checker {
	struct lp_spec spec;
	struct lp_history history;
	struct lp_quasi quasi;
	const struct lp_txn_level *level; /* of transactions; NULL: these are calls of an object */
	struct lp_weak weak;
	struct lp_check_options options;
	struct lp_check_result result;
	struct lp_error error;
	jmp_buf escape;
};

/* Without memory we come back to where the user called. */
static void no_memory(void *context)
{
	struct lp_checker *c = context;

	lp_alloc_on_failure(NULL, NULL);
	snprintf(c->error.text, sizeof c->error.text, "out of memory");
	longjmp(c->escape, 1);
}

#define PROTECTED(c) (lp_alloc_on_failure(no_memory, c), setjmp((c)->escape) == 0)

static void leave(void)
{
	lp_alloc_on_failure(NULL, NULL);
}

static bool take_spec(struct lp_checker *c, const char *spec, struct lp_error *error)
{
	const char *params;

	if (!spec)
		return lp_fail(error, "no specification is given");
	if (!lp_txn_spec_is(spec, &params))
		return lp_spec_parse(&c->spec, spec, error);
	c->level = lp_txn_level_named("strict-serializable", error);
	return lp_spec_of(&c->spec, &lp_txn_spec, params, error);
}

struct lp_checker *lp_checker_open(const char *spec, char *error, size_t size)
{
	struct lp_checker *c = lp_try_alloc_zero(1, sizeof *c);
	struct lp_error why = { "out of memory", "" };

	if (c && PROTECTED(c)) {
		c->options = (struct lp_check_options){ .property = LP_LINEARIZABLE, .quasi = &c->quasi,
							.weak = &c->weak,
							.explain = true };
		const bool good = take_spec(c, spec, &why);
		leave();
		if (good)
			return c;
	}
	lp_free(c);
	if (error && size)
		snprintf(error, size, "%s", why.text);
	return NULL;
}

void lp_checker_close(struct lp_checker *c)
{
	if (!c)
		return;
	lp_check_result_close(&c->result);
	lp_history_close(&c->history);
	lp_free(c);
}

bool lp_checker_property(struct lp_checker *c, const char *property)
{
	volatile bool good = false;

	if (c->level) {
		const struct lp_txn_level *level = lp_txn_level_named(property, &c->error);
		c->level = level ? level : c->level;
		return level;
	}
	if (PROTECTED(c))
		good = lp_property_parse(property, &c->spec, &c->options.property, &c->quasi, &c->weak,
					 &c->error);
	leave();
	return good;
}

void lp_checker_limits(struct lp_checker *c, double seconds, size_t bytes)
{
	c->options.seconds = seconds;
	c->options.memory = bytes;
}

static bool is_time(const struct lp_checker *c, int64_t time)
{
	const int64_t most = LP_MAX_TIME / lp_history_unit(&c->history);

	return time >= -most && time <= most;
}

static bool is_sound(struct lp_checker *c, const struct lp_checker_call *call)
{
	const size_t length = call->method ? strlen(call->method) : 0;

	if (c->level)
		return lp_fail(&c->error, "transactions are read: lp_checker_read()");
	if (!length || length > 64)
		return lp_fail(&c->error, "a method has a name of 1 to 64 characters");
	if (!is_time(c, call->start) || (call->end != LP_CHECKER_PENDING && !is_time(c, call->end)))
		return lp_fail(&c->error, c->history.in_billionths ? "times are between -2^62 and 2^62 billionths" :
								     "times are between -2^62 and 2^62");
	if (call->end < call->start)
		return lp_fail(&c->error, "the call ends before it starts");
	if (call->arg_count > LP_MAX_ARGS)
		return lp_fail(&c->error, "more than %d arguments", LP_MAX_ARGS);
	if (call->result_count < LP_CHECKER_UNKNOWN || call->result_count > LP_MAX_RESULTS)
		return lp_fail(&c->error, "more than %d results", LP_MAX_RESULTS);
	if (c->history.count >= UINT32_MAX / 4)
		return lp_fail(&c->error, "too many calls");
	return true;
}

static void push(struct lp_checker *c, const struct lp_checker_call *call)
{
	struct lp_history *h = &c->history;
	const int64_t unit = lp_history_unit(h); /* the calls that were read may have fractions */
	struct lp_call to = { .start = call->start * unit, .thread = call->thread,
			      .args = (uint8_t)call->arg_count, .results = LP_RESULT_UNKNOWN };

	to.method = lp_history_method(h, call->method, strlen(call->method));
	if (call->arg_count)
		memcpy(to.arg, call->args, sizeof *to.arg * call->arg_count);
	to.end = call->end == LP_CHECKER_PENDING ? LP_PENDING : call->end * unit;
	if (call->end != LP_CHECKER_PENDING && call->result_count >= 0)
		to.results = (uint32_t)call->result_count;
	if (to.results == 1)
		to.result = call->results[0];
	if (to.results > 1 && to.results != LP_RESULT_UNKNOWN) {
		to.result = h->values.count;
		for (int32_t i = 0; i < call->result_count; i++)
			LP_PUSH(&h->values, call->results[i]);
	}
	LP_PUSH(h, to);
}

int64_t lp_checker_add(struct lp_checker *c, const struct lp_checker_call *call)
{
	volatile int64_t id = -1;

	if (!is_sound(c, call))
		return -1;
	if (PROTECTED(c)) {
		push(c, call);
		id = (int64_t)c->history.count - 1;
	}
	leave();
	return id;
}

int64_t lp_checker_text(struct lp_checker *c, const char *text)
{
	volatile int64_t value = LP_VOID;

	if (PROTECTED(c))
		value = lp_history_text(&c->history, text, strlen(text));
	leave();
	return value;
}

bool lp_checker_read(struct lp_checker *c, const char *format, const char *text, size_t size)
{
	volatile bool good = false;
	enum lp_format as;

	if (!lp_format_named(format ? format : "auto", &as))
		return lp_fail(&c->error, "there is no format '%s'", format);
	if (c->history.count)
		return lp_fail(&c->error, "calls were added before");
	if (PROTECTED(c)) {
		if (c->level) {
			lp_history_close(&c->history);
			c->history.txns = lp_alloc_zero(1, sizeof *c->history.txns);
		}
		good = lp_history_parse(&c->history, "history", as, text, size, &c->error);
		if (good && !c->level)
			lp_history_fit(&c->history, c->spec.kind);
	}
	leave();
	return good;
}

uint32_t lp_checker_count(const struct lp_checker *c)
{
	return c->history.count;
}

/* The answer in the form of the other ones: the cycle is the core. */
static bool decide_txns(struct lp_checker *c)
{
	const struct lp_txn_options options = { .level = c->level, .initial = c->spec.param[0], .explain = true,
						.seconds = c->options.seconds };
	struct lp_txns none = { 0 };
	struct lp_history empty = { .txns = &none };
	struct lp_txn_result r;

	if (!lp_txn_check(c->history.txns ? &c->history : &empty, &options, &r, &c->error))
		return false;
	c->result = (struct lp_check_result){ .finding = r.finding, .steps = r.steps, .parts = 1, .core = r.core,
					      .core_count = r.core_count, .core_is_minimal = r.cycle.count && r.is_shortest };
	memcpy(c->result.method, r.method, sizeof c->result.method);
	memcpy(c->result.reason, r.reason, sizeof c->result.reason);
	r.core = NULL; /* it is the checker's now */
	lp_txn_result_close(&r);
	return true;
}

enum lp_checker_verdict lp_checker_decide(struct lp_checker *c)
{
	static const enum lp_checker_verdict verdicts[] = {
		[LP_CORRECT] = LP_CHECKER_VERIFIED,
		[LP_WRONG] = LP_CHECKER_VIOLATION,
		[LP_UNDECIDED] = LP_CHECKER_UNDECIDED,
	};
	volatile enum lp_checker_verdict verdict = LP_CHECKER_ERROR;

	lp_check_result_close(&c->result);
	c->error.text[0] = '\0';
	if (PROTECTED(c)) {
		if (c->level ? decide_txns(c) :
			       lp_history_check(&c->history, &c->spec, &c->options, &c->result, &c->error))
			verdict = verdicts[c->result.finding];
	} else {
		c->result = (struct lp_check_result){ .finding = LP_UNDECIDED };
	}
	leave();
	return verdict;
}

const char *lp_checker_reason(const struct lp_checker *c)
{
	return c->result.reason;
}

const char *lp_checker_method(const struct lp_checker *c)
{
	return c->result.method;
}

const char *lp_checker_error(const struct lp_checker *c)
{
	return c->error.text;
}

static uint32_t copy(const uint32_t *from, uint32_t count, uint32_t *to, uint32_t room)
{
	for (uint32_t i = 0; i < count && i < room; i++)
		to[i] = from[i];
	return count;
}

uint32_t lp_checker_core(const struct lp_checker *c, uint32_t *calls, uint32_t room)
{
	return copy(c->result.core, c->result.core_count, calls, room);
}

uint32_t lp_checker_attempt(const struct lp_checker *c, uint32_t *calls, uint32_t room)
{
	return copy(c->result.partial, c->result.partial_count, calls, room);
}

const char *lp_checker_describe(const struct lp_checker *c, uint32_t call, char *text, size_t size)
{
	if (size)
		text[0] = '\0';
	return call < c->history.count && size ? lp_call_describe(&c->history, call, text, size) : text;
}

uint32_t lp_checker_line(const struct lp_checker *c, uint32_t call)
{
	return call < c->history.count ? c->history.at[call].line : 0;
}
