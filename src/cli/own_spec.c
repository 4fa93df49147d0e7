/* own_spec.c -- the specification that an object brings with it. */
#include "cli/own_spec.h"

#include <dlfcn.h>

#include "base/error.h"
#include "cli/task.h"
#include "frontend/command.h"
#include "frontend/compile.h"

const struct lp_kind *lp_own_spec(const struct lp_task *task, void **handle, struct lp_error *error)
{
	const struct lp_compile_request request = {
		.file = task->file, .compiler = task->runtime.compiler,
		.flags = task->runtime.flags, .include = task->runtime.include,
		.folder = task->runtime.folder, .uncached = task->runtime.uncached,
	};
	const struct lp_runtime_options *r = &task->runtime;
	char own[64] = "", shared[LP_SHARED_PATH];
	const struct lp_kind *const *kind = NULL;

	if (r->compiled ? lp_compiled(true, r->folder, shared, error) :
			  lp_compile_plain(&request, own, shared, error)) {
		*handle = dlopen(shared, RTLD_LAZY | RTLD_LOCAL);
		kind = *handle ? dlsym(*handle, "lp_harness_own_kind") : NULL;
		if (!kind)
			lp_fail(error, "cannot load the specification of '%s': %s", task->file, dlerror());
	}
	lp_folder_close(own);
	return kind ? *kind : NULL;
}
