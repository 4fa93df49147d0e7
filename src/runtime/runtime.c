/* runtime.c -- opening and closing native programs. */
#include "runtime/runtime.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "frontend/compile/command.h"
#include "frontend/compile/shipped.h"
#include "frontend/elf_file.h"
#include "frontend/load/load_place.h"
#include "runtime/client.h"
#include "runtime/coverage_flags.h"
#include "runtime/machine.h"
#include "runtime/memory/heap.h"

extern const void *const rt_exports[]; /* exports.S */

static void *run_constructors(void *unused)
{
	(void)unused;
	for (uint32_t i = 0; i < rt.module->constructor_count; i++)
		rt.module->constructors[i].function();
	return NULL;
}

/* The destructors of the object run after the program's handlers of atexit(), so they are
 * registered first. */
static void *begin_program(void *unused)
{
	for (uint32_t i = 0; i < rt.module->destructor_count; i++)
		rt_at_exit(rt.module->destructors[i].function);
	return run_constructors(unused);
}

/* Runs the constructors on thread 0's coroutine, so that their errors are caught, and the memory
 * that they leave behind becomes part of the initial state. */
static bool set_up(struct lp_error *error)
{
	struct rt_thread *thread = &rt.threads[0];

	LP_HOLDS(!rt.self && !rt.now.threads);
	rt.setting_up = true;
	rt_begin_thread(thread, begin_program, NULL);
	const struct lp_op *op = rt_class.pending(&rt.program, 0);
	rt.setting_up = false;
	if (op->kind == LP_OP_ERROR)
		return lp_fail(error, "a constructor of the program went wrong: %s: %s",
			       lp_error_name(op->error->kind), op->error->text);
	rt.layout.main_tls = lp_alloc(rt.layout.tls_room + 1);
	memcpy(rt.layout.main_tls, (void *)rt_stack_top(0), rt.layout.tls_room);
	*thread = (struct rt_thread){ .heap_used = thread->heap_used, .blocks = thread->blocks };
	rt.now.outcome_size = rt.now.output_size = 0;
	lp_globals_snapshot(&rt.loaded.object);
	rt_save_beginning();
	return true;
}

static bool can_change(uintptr_t at)
{
	for (unsigned i = 0; i < rt.loaded.object.data_count; i++)
		if (at - rt.loaded.object.data[i].start < rt.loaded.object.data[i].end - rt.loaded.object.data[i].start)
			return true;
	return false;
}

static void note_variable(uintptr_t start, uint64_t size)
{
	if (lp_object_has(&rt.loaded.object, start) && size <= rt.loaded.object.image.end - start)
		memset(rt.loaded.variables + (start - rt.loaded.object.image.start), 1, size);
}

static bool note_constant(void *unused, const struct lp_elf_symbol *symbol)
{
	const uintptr_t start = rt.loaded.object.base + symbol->value;

	(void)unused;
	if (symbol->defined && symbol->object && !symbol->thread_local_ && !can_change(start) &&
	    lp_object_has(&rt.loaded.object, start) && !rt_in_variable(start, 1)) /* otherwise its size includes
	                                                                           * room after it */
		note_variable(start, symbol->size);
	return true;
}

/* Marks the bytes of variables, because accesses between variables are errors. */
static void note_variables(void)
{
	LP_HOLDS(!rt.loaded.variables && rt.loaded.object.image.end > rt.loaded.object.image.start);
	rt.loaded.variables = lp_alloc_zero(rt.loaded.object.image.end - rt.loaded.object.image.start, 1);
	for (uint32_t i = 0; i < rt.module->variable_count; i++)
		note_variable((uintptr_t)rt.module->variables[i].at, rt.module->variables[i].size);
	lp_elf_symbols(rt.loaded.object.fd, note_constant, NULL, NULL);
}

static void set_limits(const struct lp_runtime_options *options)
{
	rt.limits = (struct rt_limits){ .stack = options->stack_size, .heap = options->heap_limit,
					.steps = options->plain_steps,
					.seconds = options->seconds, .slab_bits = 20 };
	while (UINT64_C(1) << rt.limits.slab_bits < rt.limits.heap && rt.limits.slab_bits < 31)
		rt.limits.slab_bits++;
	LP_HOLDS(rt.limits.slab_bits == 31 || UINT64_C(1) << rt.limits.slab_bits >= rt.limits.heap);
}

static bool load_at(struct lp_load_place *place, const char *shared, struct lp_error *error)
{
	lp_load_place_release(place);
	return lp_object_open(&rt.loaded.object, shared, error);
}

static bool build_and_load(const struct lp_runtime_options *options,
			   struct lp_findings *findings, struct lp_error *error)
{
	const struct lp_compile_request request = {
		.file = options->file, .compiler = options->compiler, .flags = options->flags,
		.include = options->include, .client = options->client, .debug = options->debug,
		.folder = options->folder, .uncached = options->uncached,
		.mutant = options->mutant, .mutants = options->mutants,
	};
	char own[64] = "", shared[LP_SHARED_PATH];

	const bool done = (options->compiled ? lp_compile_find(false, options->folder, shared, error) :
			   lp_shipped_compile(options->machines.shipping, &request, own, shared, findings, error)) &&
			  load_at(options->machines.place, shared, error);
	lp_command_folder_close(own);
	if (!done || rt.loaded.object.main)
		return done;
	lp_fail(error, "'%s' has no function main()", options->file);
	if (lp_native_defines("lp_thread_")) /* LP_METHOD */
		snprintf(error->hint, sizeof error->hint, "it has a harness: linchpin check %s", options->file);
	return false;
}

static void close_all(void)
{
	LP_HOLDS(!rt.self); /* no thread runs in the memory that is unmapped */
	rt_signals_close();
	if (rt.limits.stack)
		rt_regions_close();
	rt_names_close();
	rt_doubts_close();
	rt_coverage_close();
	lp_symbols_close(rt.loaded.symbols);
	lp_object_close(&rt.loaded.object);
	for (lp_tid t = 0; t < RT_THREADS; t++)
		lp_free(rt.family.children[t].at);
	lp_free(rt.layout.main_tls);
	lp_free(rt.seen.mutants.at);
	lp_free(rt.loaded.variables);
	lp_free(rt.said.outcome);
	lp_free(rt.said.output);
	lp_free(rt.saves.bytes.at);
	lp_free(rt.saves.marks.at);
	rt_forget_program();
}

bool lp_native_open(struct lp_native *native, const struct lp_runtime_options *options,
		    struct lp_error *error)
{
	*native = (struct lp_native){ 0 };
	if (rt.loaded.open)
		return lp_fail(error, "another program is already loaded");
	rt.loaded.open = true;
	__asm__ volatile("" ::"r"(rt_exports)); /* so that the linker keeps the exports, which the
	                                         * program needs */
	rt.loaded.object.fd = -1;
	rt.options = *options;
	rt.program.class = &rt_class;
	if (!rt_coverage_reserve(error) || !build_and_load(options, &native->findings, error))
		goto failed;
	rt.module = rt.loaded.object.module;
	rt.current = rt.module->current;
	native->findings.identity |= (rt.module->tells_threads_apart & LP_TELLS_WHO) != 0;
	native->findings.numbered = (rt.module->tells_threads_apart & LP_TELLS_NUMBER) != 0;
	rt.loaded.symbols = lp_symbols_open(&rt.loaded.object);
	rt.program.unseen = options->reuse;
	note_variables();
	set_limits(options);
	if (!rt_names_open(error) || !rt_doubts_open(error) || !rt_coverage_open(error) || !rt_regions_open(error) ||
	    !rt_signals_open(error) || !set_up(error))
		goto failed;
	if (!options->client && lp_symbols_take_arguments(rt.loaded.symbols))
		rt_note_use(RT_USE_GIVEN, "main() gets no arguments (argc is 1)", 0);
	rt_doubts_keep();
	native->program = &rt.program;
	return true;
failed:
	close_all();
	lp_findings_drop(&native->findings);
	return false;
}

void lp_native_close(struct lp_native *native)
{
	if (native->program)
		close_all();
	lp_findings_drop(&native->findings);
	*native = (struct lp_native){ 0 };
}

const char *lp_native_output(struct lp_native *native, size_t *size)
{
	(void)native;
	LP_HOLDS(rt.now.output_size <= rt.said.output_room);
	*size = rt.now.output_size;
	return rt.said.output;
}

void lp_native_function(struct lp_native *native, uintptr_t pc, char *out, size_t size)
{
	(void)native;
	lp_symbols_function(rt.loaded.symbols, pc, out, size);
}

void lp_native_caller(struct lp_native *native, uintptr_t pc, char *out, size_t size)
{
	(void)native;
	lp_symbols_caller(rt.loaded.symbols, pc, out, size);
}

void lp_native_files(struct lp_native *native, void (*visit)(void *closure, const char *path),
		     void *closure)
{
	(void)native;
	lp_symbols_files(rt.loaded.symbols, visit, closure);
}

/* ---- for another process ---- */

void lp_native_write(struct lp_native *native, struct lp_bytes *to)
{
	const struct lp_told_apart *told = &rt.program.told_apart;

	(void)native;
	rt_names_write(to);
	rt_doubts_write(to);
	rt_coverage_write(to);
	lp_bytes_put_sparse(to, told->differs, sizeof told->differs);
	lp_bytes_put_sparse(to, told->returned, sizeof told->returned);
	lp_bytes_put_sparse(to, told->asked, sizeof told->asked);
	lp_bytes_put_number(to, told->any);
	lp_bytes_put_number(to, rt.program.main_concerned);
}

bool lp_native_merge(struct lp_native *native, const uint8_t *at, size_t size)
{
	struct lp_told_apart *told = &rt.program.told_apart;
	struct lp_cursor from = { at, size, false };

	(void)native;
	if (!rt_names_merge(&from) || !rt_doubts_merge(&from) || !rt_coverage_merge(&from))
		return false;
	lp_cursor_sparse(&from, told->differs, sizeof told->differs);
	lp_cursor_sparse(&from, told->returned, sizeof told->returned);
	lp_cursor_sparse(&from, told->asked, sizeof told->asked);
	told->any = lp_cursor_number(&from, true);
	rt.program.main_concerned = lp_cursor_number(&from, true);
	return lp_cursor_ended(&from);
}

/* The size of the object alone: the cache may have appended something to it. */
static off_t size_of_object(void)
{
	ElfW(Ehdr) h;

	return pread(rt.loaded.object.fd, &h, sizeof h, 0) == sizeof h ? (off_t)h.e_shoff + h.e_shnum * h.e_shentsize : 0;
}

struct lp_digest lp_native_digest(struct lp_native *native)
{
	struct lp_digester d;
	char bytes[4096];
	off_t left = size_of_object(), at = 0;
	ssize_t size;

	(void)native;
	lp_digest_begin(&d);
	while ((size = pread(rt.loaded.object.fd, bytes, left < (off_t)sizeof bytes ? (size_t)left : sizeof bytes, at)) > 0) {
		lp_digest_add(&d, bytes, (size_t)size);
		at += size;
		left -= size;
	}
	LP_HOLDS(!left && at); /* all of the object is in the digest */
	return lp_digest_end(&d);
}

void lp_native_addresses(struct lp_native *native, uintptr_t at[LP_NATIVE_ADDRESSES])
{
	(void)native;
	at[0] = rt.loaded.object.base;
	at[1] = (uintptr_t)lp_native_addresses;
	at[2] = (uintptr_t)&fopen; /* the C library */
	at[3] = RT_STACKS ^ RT_HEAP ^ RT_STATE;
}
