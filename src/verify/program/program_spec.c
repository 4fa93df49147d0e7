/* program_spec.c -- a specification that is a program, as the object's process sees it. */
#define _GNU_SOURCE
#include "verify/program/program_spec.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/options.h"
#include "spec/spec.h"
#include "verify/interrupt.h"
#include "verify/task/own_spec.h"
#include "verify/program/program_runs.h"

enum { LOOK_EVERY = 100 /* ms */ };

bool lp_program_spec_receive(int socket, void *to, size_t size)
{
	for (size_t done = 0; done < size;) {
		const ssize_t got = recv(socket, (char *)to + done, size - done, 0);
		if (got > 0)
			done += (size_t)got;
		else if (!got || errno != EINTR)
			return false;
	}
	return true;
}

bool lp_program_spec_send(int socket, const void *from, size_t size)
{
	for (size_t done = 0; done < size;) {
		const ssize_t got = send(socket, (const char *)from + done, size - done, MSG_NOSIGNAL);
		if (got > 0)
			done += (size_t)got;
		else if (got < 0 && errno != EINTR)
			return false;
	}
	return true;
}

static bool start(struct lp_program_spec *p, const struct lp_options *options, struct lp_error *error)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return lp_fail(error, "cannot start a process: %s", strerror(errno));
	const pid_t parent = getpid();
	p->process = fork();
	if (!p->process) {
		close(ends[0]);
		lp_program_runs_serve(options, p->file, ends[1], parent);
	}
	close(ends[1]);
	p->socket = ends[0];
	return p->process > 0 || lp_fail(error, "cannot start a process: %s", strerror(errno));
}

bool lp_program_spec_open(struct lp_program_spec *p, const struct lp_options *options, struct lp_error *error)
{
	const char *spec = options->at[LP_OPT_SPEC].text;

	*p = (struct lp_program_spec){ .socket = -1 };
	if (!spec || !lp_own_spec_is_file(spec))
		return true;
	p->file = spec;
	if (access(spec, R_OK))
		return lp_fail(error, "cannot read '%s': %s", spec, strerror(errno));
	if (!start(p, options, error))
		return false;
	if (!lp_program_spec_receive(p->socket, &p->interface, sizeof p->interface))
		return lp_fail(error, "cannot load the specification '%s': its process has ended", spec);
	if (p->interface.good)
		return true;
	*error = p->interface.error;
	return strstr(error->text, spec) ? false : lp_fail(error, "cannot use '%s' as the specification: %s", spec, p->interface.error.text);
}

/* Without its socket the process ends by itself. */
void lp_program_spec_close(struct lp_program_spec *p)
{
	if (!p->file)
		return;
	if (p->socket >= 0)
		close(p->socket);
	if (p->process > 0)
		waitpid(p->process, NULL, 0);
	for (uint32_t i = 0; i < p->known.count; i++)
		lp_runs_close(&p->known.at[i].runs);
	lp_free(p->known.at);
	*p = (struct lp_program_spec){ 0 };
}

/* ---- the interface ---- */

/* The method of the same name; or, of the same kind of object, another name of the same method. */
static uint32_t method_like(const struct lp_program_interface *i, const struct lp_harness *h, uint32_t method)
{
	const struct lp_harness_method *wanted = &h->methods.at[method];
	char known_as[32];
	uint32_t m = 0;

	while (m < i->methods && strcmp(i->method[m].name, wanted->name))
		m++;
	if (m < i->methods || lp_kind_named(i->kind) != h->spec->kind)
		return m;
	lp_method_name(&h->spec->kind->methods[wanted->spec_method], known_as);
	for (m = 0; m < i->methods && strcmp(i->method[m].known_as, known_as);)
		m++;
	return m;
}

static bool add_values(struct lp_harness_method *to, const struct lp_program_method *from, struct lp_error *error)
{
	for (uint32_t i = 0; i < from->values; i++) {
		uint32_t k = 0;
		while (k < to->values && to->value[k] != from->value[i])
			k++;
		if (k == LP_HARNESS_VALUES)
			return lp_fail(error, "LP_ARGS of '%s' in both files: more than %d values", to->name, LP_HARNESS_VALUES);
		to->value[k] = from->value[i];
		to->values = k < to->values ? to->values : k + 1;
	}
	return true;
}

static bool join_args(struct lp_harness_method *to, const struct lp_program_method *from, struct lp_error *error)
{
	bool fixed = false, given = false;

	for (uint32_t a = 0; a < to->args; a++) {
		fixed |= from->mode[a] == LP_ARG_FIXED;
		given |= to->mode[a] == LP_ARG_FIXED;
		to->mode[a] = from->mode[a] > to->mode[a] ? from->mode[a] : to->mode[a];
	}
	if (!given && fixed)
		to->values = 0;
	return !fixed || add_values(to, from, error);
}

bool lp_program_spec_fits(const struct lp_program_spec *p, const char *object, struct lp_harness *h, struct lp_error *error)
{
	for (uint32_t m = 0; m < h->methods.count; m++) {
		struct lp_harness_method *method = &h->methods.at[m];
		const uint32_t found = method_like(&p->interface, h, m);
		const struct lp_program_method *other = &p->interface.method[found];
		if (found == p->interface.methods)
			return lp_fail(error, "the specification '%s' has no method '%s', which '%s' has", p->file, method->name, object);
		if (other->args != method->args)
			return lp_fail(error, "%s takes %u argument%s in '%s', and %u in the specification '%s'", method->name,
				       method->args, method->args == 1 ? "" : "s", object, other->args, p->file);
		if (other->restricted && !method->role && !method->needs)
			return lp_fail(error, "the specification '%s' restricts who calls %s (LP_ROLE, LP_AFTER), and '%s' does not",
				       p->file, method->name, object);
		if (!join_args(method, other, error))
			return false;
	}
	return true;
}

/* ---- clients ---- */

static struct lp_fingerprint name_of(const struct lp_plan_client *c)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_word(&f, c->client.calls | (uint64_t)c->pre << 32);
	for (uint32_t i = 0; i < c->client.calls; i++) {
		const struct lp_client_call *call = &c->client.call[i];
		lp_fingerprint_word(&f, c->method[i] | (uint64_t)call->thread << 32);
		lp_fingerprint_word(&f, call->when | (uint64_t)call->needs << 32);
		lp_fingerprint_bytes(&f, call->arg, sizeof call->arg);
	}
	return lp_fingerprint_end(f);
}

static const struct lp_runs *find_known(const struct lp_program_spec *p, struct lp_fingerprint name)
{
	for (uint32_t i = p->known.count; i-- > 0;)
		if (!memcmp(&p->known.at[i].name, &name, sizeof name))
			return &p->known.at[i].runs;
	return NULL;
}

/* Waits for the answer.  False if the user does not want to. */
static bool await_answer(struct lp_program_spec *p)
{
	struct pollfd answer = { .fd = p->socket, .events = POLLIN };

	while (poll(&answer, 1, LOOK_EVERY) <= 0)
		if (lp_interrupt_reason()) {
			kill(p->process, SIGKILL);
			return false;
		}
	return true;
}

static bool exchange(struct lp_program_spec *p, const struct lp_program_request *r, struct lp_program_answer *answer,
		     struct lp_runs *runs)
{
	if (!lp_program_spec_send(p->socket, r, sizeof *r) || !await_answer(p) ||
	    !lp_program_spec_receive(p->socket, answer, sizeof *answer))
		return false;
	LP_RESERVE(runs, answer->runs);
	runs->count = answer->runs;
	if (!lp_program_spec_receive(p->socket, runs->at, sizeof *runs->at * runs->count))
		return false;
	lp_runs_index(runs);
	return true;
}

bool lp_program_spec_passes_on(struct lp_program_spec *p, const struct lp_harness *h, const struct lp_plan_client *client,
			       struct lp_passes_effort effort, uint64_t *spent)
{
	struct lp_program_request request = { .client = *client, .effort = effort };
	struct lp_program_answer answer;
	struct lp_runs none = { 0 };

	request.effort.known = 0; /* they are those of the object */
	for (uint32_t i = 0; i < client->client.calls; i++) {
		request.client.method[i] = method_like(&p->interface, h, client->method[i]);
		memcpy(request.mode[i], h->methods.at[client->method[i]].mode, sizeof request.mode[i]);
	}
	if (!exchange(p, &request, &answer, &none))
		return true; /* interrupted */
	lp_runs_close(&none);
	*spent += answer.repetitions;
	return !answer.inspects;
}

const struct lp_runs *lp_program_spec_runs(struct lp_program_spec *p, const struct lp_harness *h,
					   const struct lp_plan_client *client, double seconds)
{
	struct lp_program_request request = { .client = *client, .seconds = seconds };
	struct lp_program_answer answer;
	struct lp_program_client known = { .name = name_of(client) };
	const struct lp_runs *found = find_known(p, known.name);

	if (found) {
		p->verdict = LP_PROGRAM_EXPLORED;
		return found;
	}
	for (uint32_t i = 0; i < client->client.calls; i++)
		request.client.method[i] = method_like(&p->interface, h, client->method[i]);
	if (!exchange(p, &request, &answer, &known.runs))
		answer = (struct lp_program_answer){ .verdict = LP_PROGRAM_INCONCLUSIVE, .text = "its process has ended" };
	p->verdict = answer.verdict;
	p->tells_apart |= answer.tells_apart;
	p->executions += answer.executions;
	snprintf(p->text, sizeof p->text, "%s", answer.text);
	if (answer.verdict != LP_PROGRAM_EXPLORED) {
		lp_runs_close(&known.runs);
		return NULL;
	}
	LP_PUSH(&p->known, known);
	return &LP_LAST(&p->known).runs;
}
