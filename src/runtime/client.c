/* client.c -- the calls of a client, for include/linchpin/main.c. */
#include "runtime/client.h"

#include <string.h>

#include "base/hash.h"
#include "base/error.h"
#include "base/tuples.h"
#include "frontend/elf_file.h"
#include "program/process.h"
#include "runtime/coverage_flags.h"
#include "runtime/machine.h"
#include "runtime/native_process.h"
#include "runtime/ignored.h"

static struct lp_client client;

/* For processes, which call forever.  The program asks for the chosen call before the next
 * operation. */
static struct {
	const struct lp_menu_call *at;
	uint32_t count, chosen;
} menu;

/* Results of several values.  Names depend on the values only, so they outlive executions. */
static struct lp_tuples tuples;

struct progress {
	int64_t result;
	uint32_t state; /* enum lp_call_state */
};

/* Execution state: saved and restored with everything else. */
struct state {
	uint16_t id[LP_CLIENT_CALLS + 1];  /* by thread of the client: the id of that thread in the
	                                    * program */
	uint8_t next[LP_CLIENT_CALLS + 1]; /* by thread of the client: 1 + the call in which it is,
	                                    * or 0 */
	struct progress at[];
};

static struct state *state(void)
{
	return rt_state(&client, sizeof(struct state) + sizeof(struct progress) * client.calls);
}

/* The number of the current thread in the client. */
static uint32_t self_of_client(void)
{
	const struct state *s = state();
	const lp_tid self = rt_self();
	uint32_t t = 1;

	if (!self)
		return 0;
	while (t < client.threads && s->id[t] != self)
		t++;
	return t;
}

static uint32_t first_of(uint32_t thread)
{
	uint32_t c = 0;

	while (c < client.calls && client.call[c].thread != thread)
		c++;
	return c;
}

static uint32_t calls_of(uint32_t thread)
{
	uint32_t n = 0;

	for (uint32_t c = 0; c < client.calls; c++)
		n += client.call[c].thread == thread;
	return n;
}

static bool is_due(const struct lp_client_call *call, const struct progress *at)
{
	if (call->when == LP_CALL_ALWAYS)
		return true;
	LP_HOLDS(call->needs < client.calls);
	const struct progress *needed = &at[call->needs];
	return needed->state == LP_CALL_RETURNED &&
	       (call->when == LP_CALL_AFTER || needed->result != 0);
}

static void begin(uint32_t call)
{
	struct state *s = state();

	LP_HOLDS(call < client.calls && s->at[call].state == LP_CALL_NOT_MADE);
	s->at[call].state = LP_CALL_STARTED;
	s->next[client.call[call].thread] = (uint8_t)(call + 1);
	rt_changed();
}

typedef void *body(void *);

static body *next_of_menu(uintptr_t pc)
{
	const struct lp_op op = { .kind = LP_OP_CALL, .count = menu.count, .pc = pc, .name = "call" };

	menu.chosen = (uint32_t)rt_op(&op).value.lo;
	LP_HOLDS(menu.chosen < menu.count);
	return menu.at[menu.chosen].body;
}

LP_API body *lp_shim_lp_client_next(void)
{
	if (rt.process.anonymous)
		return next_of_menu(RT_PC);
	const uint32_t self = self_of_client();
	const struct state *s = state();
	uint32_t c = s->next[self] ? s->next[self] : first_of(self);

	while (c < client.calls && client.call[c].thread == self && !is_due(&client.call[c], s->at))
		c++;
	if (c >= client.calls || client.call[c].thread != self)
		return NULL;
	if (self) {
		const struct lp_op op = { .kind = LP_OP_CALL, .count = 1, .pc = RT_PC, .name = "call" };
		rt_op(&op);
	}
	begin(c);
	return client.call[c].body;
}

LP_API void lp_shim_lp_client_run(body *sequence)
{
	const uintptr_t pc = RT_PC;

	if (menu.count) {
		rt_processes_begin(sequence);
		next_of_menu(pc); /* never answered */
	}
	for (uint32_t t = 1; t < client.threads; t++) {
		const uint32_t like = client.like[t] ? state()->id[client.like[t] - 1] + 1u : 0;
		/* Its id is known before it runs, since no other thread runs meanwhile. */
		state()->id[t] = (uint16_t)rt_child_id(rt_self(), rt.self->spawned);
		const lp_tid made = rt_spawn("call", pc, calls_of(t) == 1 ? client.call[first_of(t)].body : sequence, NULL,
					     like);
		LP_HOLDS(made && made == state()->id[t]); /* 0 says that it has not started */
	}
	for (uint32_t t = 1; t < client.threads; t++)
		rt_join("call", pc, state()->id[t], LP_ELSE_WAIT);
}

/* The call in which the thread is; a thread with a single call has not asked for it. */
static uint32_t current(void)
{
	const uint32_t self = self_of_client();
	LP_HOLDS(self < client.threads);

	if (!state()->next[self])
		begin(first_of(self));
	LP_HOLDS(state()->next[self] && state()->next[self] <= client.calls);
	return state()->next[self] - 1u;
}

LP_API int64_t lp_shim_lp_call_argument(unsigned index)
{
	if (!rt.process.anonymous)
		return client.call[current()].arg[index];
	const struct lp_menu_call *call = &menu.at[menu.chosen];
	LP_HOLDS(menu.chosen < menu.count && index < LP_CLIENT_ARGS);
	rt_coverage_value(&(struct lp_value_seen){ .method = call->body, .which = index, .value = call->arg[index] });
	return call->arg[index];
}

LP_API void lp_shim_lp_call_returns(int64_t result)
{
	if (rt.process.anonymous) {
		const struct lp_op op = { .kind = LP_OP_RETURN, .size = 8, .pc = RT_PC, .name = "return",
					  .operand = { (uint64_t)result, 0 } };
		rt_coverage_value(&(struct lp_value_seen){ .pc = op.pc, .which = LP_SEEN_RESULT, .value = result });
		rt_op(&op);
		return;
	}
	const struct lp_client_call *call = &client.call[current()];
	struct progress *at = &state()->at[current()];

	for (uint32_t i = 0; i < LP_CLIENT_ARGS; i++)
		rt_coverage_value(&(struct lp_value_seen){ .method = call->body, .which = i, .value = call->arg[i] });
	rt_coverage_value(&(struct lp_value_seen){ .method = call->body, .which = LP_SEEN_RESULT, .value = result });
	LP_HOLDS(at->state == LP_CALL_STARTED);
	if (rt_is_writer()) /* a later call of this thread would not wait for the lock */
		rt_tells_apart();
	at->result = result;
	at->state = LP_CALL_RETURNED;
	rt_changed();
}

/* Linearization points have no meaning when executions are explored. */
LP_API void lp_shim_lp_point(int64_t result)
{
	const struct lp_op op = { .kind = LP_OP_POINT, .size = 8, .pc = RT_PC, .name = "linearization point",
				  .operand = { (uint64_t)result, 0 } };

	if (rt.process.anonymous)
		rt_op(&op);
}

LP_API unsigned lp_shim_lp_thread(void)
{
	rt_tells_apart();
	/* A program has no client, and threads that call forever are not told apart. */
	return client.threads && !rt.process.anonymous ? self_of_client() : rt_self();
}

LP_API int64_t lp_shim_lp_several(const int64_t *values, unsigned count)
{
	rt_read(values, sizeof *values * count, RT_PC);
	return lp_tuples_name(&tuples, values, count);
}

const struct lp_tuples *lp_native_tuples(struct lp_native *native)
{
	(void)native;
	return &tuples;
}

LP_API void lp_shim_lp_invariant_broken(void)
{
	const uintptr_t pc = RT_PC;

	if (!lp_native_passes_over(LP_ERROR_INVARIANT, pc))
		rt_error(LP_ERROR_INVARIANT, pc, NULL, "the invariant does not hold after the last call");
}

void lp_native_client(struct lp_native *native, const struct lp_client *c)
{
	(void)native;
	LP_HOLDS(c->calls <= LP_CLIENT_CALLS && c->threads <= LP_CLIENT_CALLS + 1);
	client = *c;
	menu.count = 0;
}

uint64_t rt_client_digest(void)
{
	uint64_t h = lp_mix(client.calls ^ (uint64_t)client.threads << 32);

	for (uint32_t i = 0; i < client.calls; i++) {
		const struct lp_client_call *c = &client.call[i];
		h = lp_mix(h ^ (uintptr_t)c->body);
		for (uint32_t k = 0; k < LP_CLIENT_ARGS; k++)
			h = lp_mix(h ^ (uint64_t)c->arg[k]);
		h = lp_mix(h ^ c->thread ^ (uint64_t)c->when << 32 ^ (uint64_t)c->needs << 40);
	}
	return h;
}

void rt_client_menu(const struct lp_menu_call *calls, uint32_t count)
{
	menu.at = calls;
	menu.count = count;
}

enum lp_call_state lp_native_call(struct lp_native *native, uint32_t call, int64_t *result)
{
	const struct progress *at = &state()->at[call];

	(void)native;
	LP_HOLDS(call < client.calls);
	*result = at->result;
	/* If a thread has a single call without arguments, this is noted only when it returns.  So it counts as started when
	 * its thread has started. */
	if (at->state == LP_CALL_NOT_MADE && state()->id[client.call[call].thread] &&
	    calls_of(client.call[call].thread) == 1)
		return LP_CALL_STARTED;
	return at->state;
}

bool rt_end_state(struct lp_program *program, lp_tid t, uint64_t fingerprint[2])
{
	const struct state *s = rt.process.anonymous || !client.calls ? NULL : rt_state_if_any(&client);
	struct lp_fingerprint print = LP_FINGERPRINT;

	(void)program;
	if (!s)
		return false;
	for (uint32_t c = 0; c < client.calls; c++) {
		if (s->id[client.call[c].thread] != t)
			continue;
		lp_fingerprint_word(&print, (uint64_t)s->at[c].state << 32 | c);
		lp_fingerprint_word(&print, (uint64_t)s->at[c].result);
	}
	fingerprint[0] = print.a;
	fingerprint[1] = print.b;
	return true;
}

lp_tid lp_native_thread(struct lp_native *native, uint32_t thread)
{
	(void)native;
	LP_HOLDS(thread <= LP_CLIENT_CALLS);
	return state()->id[thread];
}

static bool is_point(void *closure, const struct lp_elf_symbol *symbol)
{
	bool *found = closure;

	*found |= !symbol->defined && !strcmp(symbol->name, "lp_shim_lp_point");
	return !*found;
}

bool lp_native_has_points(struct lp_native *native)
{
	bool found = false;

	(void)native;
	lp_elf_symbols(rt.loaded.object.fd, is_point, &found, NULL);
	return found;
}

struct wanted {
	const char *name;
	uintptr_t found;
};

static bool is_wanted(void *closure, const struct lp_elf_symbol *symbol)
{
	struct wanted *w = closure;

	if (symbol->defined && !strcmp(symbol->name, w->name))
		w->found = rt.loaded.object.base + symbol->value;
	return !w->found;
}

static bool begins_alike(void *closure, const struct lp_elf_symbol *symbol)
{
	struct wanted *w = closure;

	w->found |= symbol->defined && !strncmp(symbol->name, w->name, strlen(w->name));
	return !w->found;
}

bool lp_native_defines(const char *prefix)
{
	struct wanted w = { prefix, 0 };

	lp_elf_symbols(rt.loaded.object.fd, begins_alike, &w, NULL);
	return w.found;
}

const struct lp_harness_entry *const *lp_native_harness(struct lp_native *native, uint32_t *count)
{
	struct wanted w = { "lp_harness_table", 0 };

	(void)native;
	*count = 0;
	lp_elf_symbols(rt.loaded.object.fd, is_wanted, &w, NULL);
	if (!w.found)
		return NULL;
	const struct lp_harness_entry *const *const *table = (void *)w.found;
	LP_HOLDS(table[1] >= table[0]); /* where the entries begin and end */
	*count = (uint32_t)(table[1] - table[0]);
	return table[0];
}
