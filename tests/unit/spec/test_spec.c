/* test_spec.c -- the built-in kinds, call by call; names and parameters.
 *
 * A run is written as `method args -> result`, one a line; a line that starts with
 * `!` must be rejected and with `~` must block, and then leaves the state as it was.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "expect.h"
#include "spec/show.h"
#include "spec/spec.h"

struct run {
	const char *spec;
	const char *calls;
};

static const struct run runs[] = {
	{ "register", "read -> 0\nwrite 3\nread -> 3\n!read -> 0\ncas 3 4 -> 1\ncas 3 5 -> 0\n"
		      "!cas 4 5 -> 0\nswap 9 -> 4\nread -> 9\n" },
	{ "register:init=nil,k=2", "read -> nil\n!read -> 0\nwrite 1\n!write 2\nread -> 1\n" },
	{ "counter", "increment\nincrement\nread -> 2\ndecrement\nadd 5\nfetch_add 2 -> 6\n"
		     "read -> 8\nfetch_increment -> 8\nincrement_fetch -> 10\n" },
	{ "counter:k=4", "add 3\nincrement\nread -> 0\ndecrement\nread -> 3\n" },
	{ "stack", "pop -> empty\npush 1 -> 1\npush 2 -> 1\ntop -> 2\n!pop -> 1\npop -> 2\n"
		   "is_empty -> 0\npop -> 1\nis_empty -> 1\n!push 3 -> 0\n" },
	{ "queue", "dequeue -> empty\nenqueue 1 -> 1\nenqueue 2 -> 1\nfront -> 1\n!dequeue -> 2\n"
		   "dequeue -> 1\ndequeue -> 2\n" },
	{ "queue:bounded=1", "enqueue 1 -> 1\nenqueue 2 -> 0\n!enqueue 2 -> 1\ndequeue -> 1\n" },
	{ "slack_queue:bounded=3,slack=2", "!enqueue 1 -> 0\nenqueue 1 -> 1\nenqueue 2 -> 0\nenqueue 2 -> 1\n"
	  "enqueue 3 -> 1\n!enqueue 4 -> 1\nenqueue 4 -> 0\ndequeue -> 1\n" },
	{ "queue:bounded=1,blocking", "~dequeue -> empty\nenqueue 1 -> 1\n~enqueue 2 -> 1\n" },
	{ "queue:failing", "enqueue 1 -> 0\nenqueue 1 -> 1\ndequeue -> empty\nfront -> empty\nis_empty -> 1\nis_empty -> 0\n"
			   "!dequeue -> 2\ndequeue -> 1\n!is_empty -> 0\n" },
	{ "queue:bounded=1,weak", "!enqueue 1 -> 0\nenqueue 1 -> 1\nenqueue 2 -> 0\n!dequeue -> empty\ndequeue -> 1\n" },
	{ "lock:failing", "trylock -> 0\ntrylock -> 1\ntrylock -> 0\n!trylock -> 1\nunlock\n" },
	{ "lock:contended", "!trylock -> 0\ntrylock -> 1\n" },
	{ "semaphore:init=1,failing", "try_acquire -> 0\ntry_acquire -> 1\n!try_acquire -> 1\n" },
	{ "rwlock:failing", "try_read_lock -> 0\ntry_write_lock -> 0\ntry_read_lock -> 1\n!try_write_lock -> 1\n" },
	{ "rwlock:writers", "read_lock\n!try_read_lock -> 0\ntry_read_lock -> 1\n~write_lock\n" },
	{ "work_stealing", "push 1 -> 1\npush 2 -> 1\npush 3 -> 1\n!steal -> 3\nsteal -> 1\n!pop -> 2\npop -> 3\npop -> 2\n"
			   "steal -> empty\npop -> empty\n" },
	{ "fifo_work_stealing:losing", "push 1 -> 1\npush 2 -> 1\n!pop -> 2\npop -> 1\n!steal -> empty\nsteal -> 2\n" },
	{ "scored_queue", "insert 2 7 -> 1\ninsert 1 9 -> 1\ninsert 1 8 -> 1\npeek -> 8\npeek -> 9\n!peek -> 7\n!remove -> 7\n"
			  "remove -> 9\n!remove -> 9\nremove -> 8\nremove -> 7\nremove -> empty\n" },
	{ "scored_queue:max,bounded=2", "insert 1 5 -> 1\ninsert 2 6 -> 1\ninsert 3 7 -> 0\nremove -> 6\n!is_empty -> 1\n"
					"remove -> 5\n" },
	{ "deque", "push_back 1 -> 1\npush_front 2 -> 1\npush_back 3 -> 1\n!pop_back -> 1\n"
		   "pop_back -> 3\npop_front -> 2\npop_back -> 1\npop_front -> empty\n" },
	{ "priority_queue", "insert 5 -> 1\ninsert 3 -> 1\ninsert 4 -> 1\npeek -> 3\n!remove -> 4\nremove -> 3\n"
			    "remove -> 4\nremove -> 5\nremove -> empty\n" },
	{ "queue:synchronous", "~dequeue -> 1\n~dequeue -> empty\nis_empty -> 1\nfront -> empty\n"
			       "enqueue 1 -> 1\n~enqueue 2 -> 1\n!dequeue -> 2\n!is_empty -> 1\n"
			       "dequeue -> 1\nenqueue 2 -> 1\n" },
	{ "priority_queue:bounded=1", "insert 1 -> 1\ninsert 2 -> 0\n!insert 2 -> 1\nremove -> 1\n"
				      "remove -> empty\n" },
	{ "priority_queue:bounded=1,blocking", "~remove -> empty\ninsert 1 -> 1\n~insert 2 -> 1\n" },
	{ "multiset:blocking", "~take -> empty\ninsert 1\ntake -> 1\n~take -> 1\nremove 1 -> 0\n" },
	{ "priority_queue:max", "insert 5 -> 1\ninsert 3 -> 1\npeek -> 5\nremove -> 5\nremove -> 3\n" },
	{ "set", "insert 1 -> 1\ninsert 1 -> 0\ncontains 1 -> 1\ncontains 2 -> 0\nsize -> 1\n"
		 "remove 1 -> 1\nremove 1 -> 0\nis_empty -> 1\n" },
	{ "multiset", "insert 1\ninsert 1\ninsert 2\ncount 1 -> 2\nsize -> 3\n!size -> 2\nremove 1 -> 1\n"
		      "contains 1 -> 1\ncount 3 -> 0\ntake -> 2\n!take -> 2\ntake -> 1\ntake -> empty\nremove 1 -> 0\n" },
	{ "map", "get 1 -> nil\nput 1 5\nget 1 -> 5\nput_if_absent 1 6 -> 0\ncas 1 5 7 -> 1\n"
		 "get 1 -> 7\ncontains 1 -> 1\nremove 1 -> 1\nremove 1 -> 0\nget 1 -> nil\n"
		 "put_if_absent 1 6 -> 1\n" },
	{ "map:init=0", "get 1 -> 0\ncontains 1 -> 0\nput 1 0\nget 1 -> 0\ncontains 1 -> 1\n"
			"put_if_absent 1 5 -> 0\nremove 1 -> 1\nremove 1 -> 0\ncontains 1 -> 0\n"
			"cas 1 0 3 -> 1\nget 1 -> 3\nput 2 0\nremove 1 -> 1\ncontains 2 -> 1\n" },
	{ "lock", "lock\n~lock\ntrylock -> 0\nunlock\n!unlock\ntrylock -> 1\nunlock\n" },
	{ "rwlock", "read_lock\nread_lock\n~write_lock\ntry_write_lock -> 0\nread_unlock\n"
		    "read_unlock\n!read_unlock\nwrite_lock\n~read_lock\ntry_read_lock -> 0\n"
		    "write_unlock\n" },
	{ "semaphore:init=2", "acquire\nacquire\n~acquire\ntry_acquire -> 0\nrelease\nvalue -> 1\n" },
	{ "semaphore:init=1,bounded=1", "!release\nacquire\nrelease\n" },
	{ "snzi", "query -> 0\narrive\narrive\ndepart\nquery -> 1\ndepart\nquery -> 0\n!depart\n" },
	{ "mailbox", "check -> 0\ndeliver\ncheck -> 1\nremove\ncheck -> 0\n!remove\n" },
	{ "snapshot:n=2", "scan -> 0 0\nupdate 1 7\nscan -> 0 7\n!scan -> 7 0\n!update 2 1\n" },
};

static int64_t value_of(const char *word)
{
	if (!strcmp(word, "empty"))
		return LP_EMPTY;
	return !strcmp(word, "nil") ? LP_NIL : strtoll(word, NULL, 10);
}

static void check_line(const struct lp_spec *spec, struct lp_state *s, char *line)
{
	struct lp_state before;
	int64_t args[8], results[8];
	struct lp_spec_call call = { .arg = args, .result = results };
	const enum lp_answer expected = line[0] == '!' ? LP_REJECTS :
					line[0] == '~' ? LP_BLOCKS :
							 LP_ACCEPTS;
	char text[128], *rest = NULL;
	bool after_arrow = false;

	snprintf(text, sizeof text, "%s", line);
	char *word = strtok_r(line + (expected != LP_ACCEPTS), " ", &rest);
	const uint32_t m = lp_method_named(spec->kind, word, strlen(word));
	while ((word = strtok_r(NULL, " ", &rest))) {
		if (!strcmp(word, "->"))
			after_arrow = true;
		else if (after_arrow)
			results[call.results++] = value_of(word);
		else
			args[call.args++] = value_of(word);
	}
	lp_state_open(&before);
	lp_state_copy(&before, s);
	const enum lp_answer answer = m == LP_NO_METHOD ? (enum lp_answer)-1 :
							  lp_spec_step(spec, m, s, &call);
	if (answer != expected || call.args != spec->kind->methods[m].args) {
		fprintf(stderr, "%s: '%s' answers %d\n", spec->kind->name, text, (int)answer);
		failures++;
	}
	/* Where a result is accepted, an unknown one is too; where none is, maybe. */
	if (expected == LP_ACCEPTS && m != LP_NO_METHOD) {
		struct lp_state again;
		lp_state_open(&again);
		lp_state_copy(&again, &before);
		call.result = NULL;
		EXPECT(lp_spec_step(spec, m, &again, &call) == LP_ACCEPTS);
		if (!(spec->kind->methods[m].roles & LP_CHOOSES) && !lp_spec_is_lenient(spec)) /* it may have failed */
			EXPECT(lp_state_equal(&again, s));
		if ((spec->kind->methods[m].roles & LP_READS) == LP_READS)
			EXPECT(lp_state_equal(&before, s));
		lp_state_close(&again);
	} else {
		lp_state_copy(s, &before);
	}
	lp_state_close(&before);
}

static void check_run(const struct run *run)
{
	struct lp_spec spec;
	struct lp_state s;
	struct lp_error error;
	char text[512], *rest = NULL;

	if (!lp_spec_parse(&spec, run->spec, &error)) {
		fprintf(stderr, "%s\n", error.text);
		failures++;
		return;
	}
	snprintf(text, sizeof text, "%s", run->calls);
	lp_state_open(&s);
	lp_state_begin(&s, &spec);
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		check_line(&spec, &s, line);
	lp_state_close(&s);
}

/* What waits, as the check of stuck calls sees it. */
static void check_waiting(void)
{
	const int64_t one = 1;
	const struct lp_spec_call call = { .arg = &one, .args = 1 };
	struct lp_spec spec;
	struct lp_state s;
	struct lp_error error;

	lp_state_open(&s);
	EXPECT(lp_spec_parse(&spec, "queue:synchronous", &error));
	const uint32_t in = lp_method_named(spec.kind, "enqueue", 7);
	const uint32_t out = lp_method_named(spec.kind, "dequeue", 7);
	lp_state_begin(&s, &spec);
	EXPECT(lp_spec_has_meetings(&spec) && lp_spec_is_settled(&spec, &s));
	EXPECT(lp_spec_waits(&spec, in, &s, &call) && lp_spec_waits(&spec, out, &s, &call));
	lp_state_push(&s, 1);
	EXPECT(!lp_spec_is_settled(&spec, &s) && !lp_spec_waits(&spec, out, &s, &call));

	EXPECT(lp_spec_parse(&spec, "queue:blocking", &error));
	lp_state_begin(&s, &spec);
	EXPECT(!lp_spec_has_meetings(&spec));
	EXPECT(!lp_spec_waits(&spec, in, &s, &call) && lp_spec_waits(&spec, out, &s, &call));
	lp_state_push(&s, 1);
	EXPECT(lp_spec_is_settled(&spec, &s) && !lp_spec_waits(&spec, out, &s, &call));
	lp_state_close(&s);
}

static void check_names(void)
{
	const struct lp_kind *queue = lp_kind_named("queue");
	struct lp_spec spec;
	struct lp_error error;

	EXPECT(queue && lp_kind_named("priority-queue") == lp_kind_named("PriorityQueue"));
	EXPECT(!lp_kind_named("queu"));
	EXPECT(lp_method_named(queue, "enq", 3) == lp_method_named(queue, "Enqueue", 7));
	EXPECT(lp_method_named(queue, "isEmpty", 7) == lp_method_named(queue, "is-empty", 8));
	EXPECT(lp_method_named(queue, "en", 2) == LP_NO_METHOD);
	EXPECT(!lp_spec_parse(&spec, "quene", &error) && strstr(error.text, "'quene'"));
	EXPECT(!lp_spec_parse(&spec, "queue:size=3", &error) && strstr(error.text, "'size'"));
	EXPECT(!lp_spec_parse(&spec, "queue:bounded=x", &error) && strstr(error.text, "number"));
	EXPECT(!lp_spec_parse(&spec, "snapshot:n=0", &error));
	EXPECT(!lp_spec_parse(&spec, "queue:weak,failing", &error) && strstr(error.text, "exclude each other"));
	EXPECT(!lp_spec_parse(&spec, "stack:weak,blocking", &error) && strstr(error.text, "'weak' and 'blocking'"));
	EXPECT(!lp_spec_parse(&spec, "lock:weak", &error) && strstr(error.text, "'weak'"));
	EXPECT(lp_spec_parse(&spec, "queue:bounded=2,failing", &error) && !lp_spec_uses_overlap(&spec));
	EXPECT(lp_spec_parse(&spec, "queue:bounded=2,weak", &error) && lp_spec_uses_overlap(&spec));
	EXPECT(lp_spec_parse(&spec, "queue:bounded=3,blocking", &error) && spec.param[0] == 3 &&
		spec.param[1] == 1);
}

/* No two methods of a kind share a name; data and sizes are as checkers need them. */
static void check_table(void)
{
	for (uint32_t k = 0; k < lp_kind_count(); k++) {
		const struct lp_kind *kind = lp_kind_at(k);
		EXPECT(kind->method_count > 0 && kind->method_count <= 64);
		EXPECT(kind->param_count <= LP_MAX_PARAMS);
		for (uint32_t m = 0; m < kind->method_count; m++) {
			char names[256], *rest = NULL;
			snprintf(names, sizeof names, "%s", kind->methods[m].names);
			for (char *name = strtok_r(names, " ", &rest); name;
			     name = strtok_r(NULL, " ", &rest))
				if (lp_method_named(kind, name, strlen(name)) != m) {
					fprintf(stderr, "%s: '%s' is ambiguous\n", kind->name, name);
					failures++;
				}
			EXPECT(kind->methods[m].args <= LP_MAX_ARGS);
		}
	}
}

/* Each value as often as it is there; a take of unknown result has one choice for each value. */
static void check_multiset(void)
{
	static const int64_t values[] = { 2, 1, 2, 2 };
	struct lp_spec_call call = { .args = 1 };
	struct lp_spec spec;
	struct lp_state s, copy;
	struct lp_error error;
	char shown[64];
	uint32_t choices = 0;

	EXPECT(lp_spec_parse(&spec, "multiset", &error));
	const uint32_t insert = lp_method_named(spec.kind, "insert", 6), take = lp_method_named(spec.kind, "take", 4);
	lp_state_open(&s);
	lp_state_open(&copy);
	lp_state_begin(&s, &spec);
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		call.arg = &values[i];
		EXPECT(lp_spec_step(&spec, insert, &s, &call) == LP_ACCEPTS);
	}
	lp_state_show(&spec, &s, shown, sizeof shown);
	EXPECT(!strcmp(shown, "{1, 2, 2, 2}"));
	for (bool accepts = true; accepts; choices += accepts) {
		call = (struct lp_spec_call){ .choice = choices };
		lp_state_copy(&copy, &s);
		accepts = lp_spec_step(&spec, take, &copy, &call) == LP_ACCEPTS;
		lp_state_show(&spec, &copy, shown, sizeof shown);
		EXPECT(!accepts || !strcmp(shown, choices ? "{1, 2, 2}" : "{2, 2, 2}"));
	}
	EXPECT(choices == 2);
	lp_state_close(&s);
	lp_state_close(&copy);
}

int main(void)
{
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
		check_run(&runs[i]);
	check_names();
	check_waiting();
	check_multiset();
	check_table();
	return expect_status();
}
