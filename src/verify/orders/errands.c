/* errands.c -- sends errands as bytes: the client, and the memory orders of all sites. */
#include "verify/orders/errands.h"

#include "explore/parallel/team.h"
#include "ranks/bytes.h"
#include "runtime/hooks/sites.h"

static void describe(void *closure, struct lp_bytes *to)
{
	struct lp_check *c = closure;
	const struct lp_module *module = lp_native_module(&c->task.native);

	/* Addresses of methods are the same in all ranks: the object is loaded at the same place. */
	lp_bytes_put(to, &c->client, sizeof c->client);
	for (uint32_t i = 0; i < module->site_count; i++) {
		const uint8_t orders[] = { module->sites[i].order, module->sites[i].fail_order };
		lp_bytes_put(to, orders, sizeof orders);
	}
}

static bool set_orders(struct lp_native *native, struct lp_cursor *from)
{
	const struct lp_module *module = lp_native_module(native);
	uint8_t orders[2];

	for (uint32_t i = 0; i < module->site_count && lp_cursor_get(from, orders, sizeof orders); i++)
		lp_native_set_order(native, i, (enum lp_order)orders[0], (enum lp_order)orders[1]);
	return !from->bad;
}

/* What this machine has seen is reported after each pass, and is then known to rank 0. */
static bool prepare(void *closure, const struct lp_explore_options *options, struct lp_cursor *from)
{
	struct lp_check *c = closure;
	struct lp_plan_client client;

	lp_native_forget(&c->task.native);
	lp_native_unreach(&c->task.native);
	if (!lp_cursor_get(from, &client, sizeof client) || !set_orders(&c->task.native, from))
		return false;
	lp_check_client(c, &client);
	c->judge.model = lp_model_class_of(options->model);
	return true;
}

void lp_errands_begin(struct lp_check *c)
{
	struct lp_team *team = c->task.explore.team;
	struct lp_team_errands *errands = lp_arena_alloc(&c->task.arena, sizeof *errands);

	*errands = (struct lp_team_errands){ describe, prepare, c };
	if (!lp_team_is_together(team))
		return;
	lp_team_direct(team, errands);
	if (!lp_task_follows(&c->task))
		return;
	lp_clients_ask(c->judge.clients, lp_judge_goes_on, &c->judge);
	lp_team_serve(team, errands, c->task.native.program, &c->task.explore);
}
