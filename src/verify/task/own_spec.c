/* own_spec.c -- compiles and loads the user's own specifications, and reads harnesses. */
#include "verify/task/own_spec.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/options.h"
#include "frontend/compile/command.h"
#include "frontend/compile/compile.h"
#include "frontend/compile/shipped.h"
#include "linchpin.h"
#include "spec/spec.h"
#include "verify/harness.h"
#include "verify/task/pure_spec.h"
#include "verify/task/task.h"

static const struct lp_kind *load(const char *file, const char *shared, void **handle,
				  struct lp_error *error)
{
	*handle = dlopen(shared, RTLD_LAZY | RTLD_LOCAL);
	const struct lp_kind *const *kind = *handle ? dlsym(*handle, "lp_harness_own_kind") : NULL;

	if (!*handle)
		lp_fail(error, "cannot load the specification of '%s': %s", file, dlerror());
	else if (!kind)
		lp_fail(error, "'%s' has no specification of its own: LP_SPEC_OWN (linchpin.h)", file);
	struct lp_spec spec;
	return kind && lp_spec_of(&spec, *kind, NULL, error) && lp_spec_refuse_impure(&spec, shared, *handle, error) ? *kind : NULL;
}

/* The one that an object brings with it, from a build without hooks, for it is called by us. */
static const struct lp_kind *of_object(const struct lp_task *task, void **handle, struct lp_error *error)
{
	const struct lp_compile_request request = {
		.file = task->file, .compiler = task->runtime.compiler,
		.flags = task->runtime.flags, .include = task->runtime.include,
		.folder = task->runtime.folder, .uncached = task->runtime.uncached,
	};
	const struct lp_runtime_options *r = &task->runtime;
	char own[64] = "", shared[LP_SHARED_PATH];
	const struct lp_kind *kind = NULL;

	if (r->compiled ? lp_compile_find(true, r->folder, shared, error) :
			  lp_shipped_plain(r->machines.shipping, &request, own, shared, error))
		kind = load(task->file, shared, handle, error);
	lp_command_folder_close(own);
	return kind;
}

static bool refuse_without(const struct lp_task *task, struct lp_error *error)
{
	lp_fail(error, "'%s' has no harness", task->file);
	if (lp_native_defines("lp_own_main"))
		snprintf(error->hint, sizeof error->hint, "it has main(): linchpin run %s", task->file);
	else
		snprintf(error->hint, sizeof error->hint, "an object says how it is called with LP_SPEC and LP_METHOD "
			 "(linchpin.h); other sources of an object go after `--`: linchpin %s OBJECT.c -- %s",
			 lp_options_command(task->options), task->file);
	return false;
}

static bool open_harness(struct lp_task *task, struct lp_harness *harness, void **own, const struct lp_kind *kind,
			 const char *spec, struct lp_error *error)
{
	uint32_t count;
	const struct lp_harness_entry *const *entries = lp_native_harness(&task->native, &count);

	if (!spec && lp_harness_has_own_spec(entries, count)) {
		kind = task->options->own ? task->options->own : of_object(task, own, error);
		if (!kind)
			return false;
	}
	return lp_harness_open(harness, entries, count, kind, spec, error);
}

bool lp_task_harness(struct lp_task *task, struct lp_harness *harness, void **own, struct lp_error *error)
{
	uint32_t count;

	if (!lp_native_harness(&task->native, &count) || !count)
		return refuse_without(task, error);
	const char *spec = task->options->at[LP_OPT_SPEC].text;
	if (spec && lp_own_spec_is_file(spec))
		return lp_fail(error, "--spec %s: a specification that is a program is for `check` and `orders`", spec);
	return open_harness(task, harness, own, NULL, spec, error);
}

static enum lp_answer accept_all(struct lp_state *s, const struct lp_spec_call *c)
{
	(void)s;
	(void)c;
	return LP_ACCEPTS;
}

/* A kind of which nothing is known but its methods. */
static const struct lp_kind *kind_of(struct lp_task *task, const struct lp_harness_entry *const *entries, uint32_t count)
{
	struct lp_method *methods = lp_arena_alloc(&task->arena, sizeof *methods * (count + 1));
	struct lp_kind *kind = lp_arena_alloc(&task->arena, sizeof *kind); /* zeroed */

	kind->name = "object";
	kind->methods = methods;
	for (uint32_t i = 0; i < count; i++)
		if (entries[i]->kind == LP_HARNESS_METHOD)
			methods[kind->method_count++] = (struct lp_method){ entries[i]->text, (uint32_t)entries[i]->args, LP_VALUE, 0,
									    accept_all };
	return kind;
}

bool lp_task_interface(struct lp_task *task, struct lp_harness *harness, void **own, const char *spec, struct lp_error *error)
{
	uint32_t count;
	const struct lp_harness_entry *const *entries = lp_native_harness(&task->native, &count);

	if (!entries || !count)
		return refuse_without(task, error);
	if (lp_harness_has_spec(entries, count))
		return open_harness(task, harness, own, NULL, NULL, error);
	if (spec && *spec)
		return open_harness(task, harness, own, NULL, spec, error);
	return open_harness(task, harness, own, kind_of(task, entries, count), NULL, error);
}

/* Where the name of the file ends: before the parameters.  0: it is not a file. */
static size_t name_length(const char *text)
{
	static const char *const endings[] = { ".c", ".cc", ".cpp", ".cxx", ".C" };
	const char *colon = strrchr(text, ':');
	const size_t lengths[] = { strlen(text), colon ? (size_t)(colon - text) : 0 };

	for (int i = 0; i < 2; i++)
		for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
			const size_t length = strlen(endings[e]);
			if (lengths[i] > length &&
			    !memcmp(text + lengths[i] - length, endings[e], length))
				return lengths[i];
		}
	return 0;
}

bool lp_own_spec_is_file(const char *text)
{
	return name_length(text);
}

const struct lp_kind *lp_own_spec_read(const char *text, const struct lp_options *o, const char **params,
				       void **handle, struct lp_error *error)
{
	const size_t length = name_length(text);
	char file[4096], own[64] = "", shared[LP_SHARED_PATH];
	const struct lp_kind *kind = NULL;

	snprintf(file, sizeof file, "%.*s", (int)length, text);
	if (length >= sizeof file || access(file, R_OK)) {
		lp_fail(error, "cannot read '%s': %s", file,
			length >= sizeof file ? "the name is too long" : strerror(errno));
		return NULL;
	}
	*params = text[length] ? text + length + 1 : NULL;
	const struct lp_compile_request request = {
		.file = file, .compiler = o->at[LP_OPT_CC].text, .flags = o->flags,
		.uncached = o->at[LP_OPT_NO_COMPILE_CACHE].given,
	};
	if (lp_compile_plain(&request, own, shared, error))
		kind = load(file, shared, handle, error);
	lp_command_folder_close(own);
	return kind;
}
