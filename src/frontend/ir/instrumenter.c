/* instrumenter.c -- linchpin-fe: instruments a program.
 *
 *     linchpin-fe [-O LEVEL] [--debug] [--client] [--member FILE]... [--report FILE] [--print]
 *                 [--mutant NAME | --mutants FILE] [--keep FILE] -o OBJECT INPUT...
 *     linchpin-fe --clang WORD...
 *     linchpin-fe --serve DESCRIPTOR...
 *
 * An INPUT is a file of LLVM bitcode; or fd:N, an open descriptor to read it from; or, if clang is linked in
 * (clang.h), --source COUNT WORD...: that many words of a clang command, which translates a source file.  All INPUTs become one
 * object file.  It also contains each member (of an archive, for example) that defines a symbol which is used and not defined so
 * far, and those parts of the C++ library that are used (library.h).  --client adds linchpin's own main(), which calls an object's
 * methods.  --debug leaves functions and local variables as they are, so that debuggers find them.  The report has a line for each
 * symbol that is left undefined.  --print writes the instrumented program to standard error as text.  --clang does what clang does
 * with the words.
 *
 * --mutant turns the program into a mutant, and --mutants lists all mutants (mutants/mutation.h).  --keep writes the program as
 * bitcode, before it is changed.  This file can be an INPUT when a mutant is made; --client is then not given.
 *
 * --serve runs the commands that requests contain, one after the other (frontend/serve/serving.h).
 *
 * The exit status is LP_COMPILER_FAILED (translate.h) if a compiler has failed, whether it is linked in or another process.
 *
 * linchpin-fe is a program of its own, so that linchpin itself does not contain LLVM, and survives if LLVM crashes.
 */
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontend/ir/state/addresses.h"
#include "frontend/ir/state/bounds.h"
#include "frontend/ir/access/call_sites.h"
#include "frontend/ir/clang.h"
#include "frontend/ir/coverage/cover.h"
#include "frontend/ir/coverage/marks.h"
#include "frontend/ir/emit.h"
#include "frontend/ir/state/frames.h"
#include "frontend/ir/access/insert_hooks.h"
#include "frontend/ir/ifuncs.h"
#include "frontend/ir/inlining.h"
#include "frontend/ir/library.h"
#include "frontend/ir/mutants/mutation.h"
#include "frontend/assembly/lower_assembly.h"
#include "frontend/ir/state/objects.h"
#include "frontend/ir/access/dynamic_orders.h"
#include "frontend/ir/prepare.h"
#include "frontend/ir/access/site_records.h"
#include "frontend/ir/state/written.h"
#include "frontend/compile/translate.h"
#include "frontend/serve/serving.h"

/* client.S */
extern const char lp_client_bitcode[], lp_client_bitcode_end[];

#ifdef LP_CLANG_PATH
#define HAS_CLANG true
#else
#define HAS_CLANG false
#endif

struct request {
	unsigned level;
	const char *object, *report;
	const char *mutant, *mutants, *keep;
	bool client, debug, print;
	char **inputs;
	int count;
	struct {
		LP_VEC(const char *);
	} members;
};

/* ---- reading ---- */

static LLVMMemoryBufferRef read_descriptor(int fd, struct lp_error *error)
{
	struct {
		LP_VEC(char);
	} bytes = { 0 };
	ssize_t got;

	do {
		LP_RESERVE(&bytes, 1 << 16);
		got = read(fd, bytes.at + bytes.count, 1 << 16);
		if (got > 0)
			bytes.count += (uint32_t)got;
	} while (got > 0);
	LLVMMemoryBufferRef buffer = NULL;
	if (!got && bytes.count)
		buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.at, bytes.count, "");
	else if (got)
		lp_fail(error, "cannot read what the compiler writes");
	lp_free(bytes.at);
	return buffer;
}

static LLVMMemoryBufferRef read_input(const char *input, struct lp_error *error)
{
	LLVMMemoryBufferRef buffer;
	char *text;

	if (!strncmp(input, "fd:", 3))
		return read_descriptor(atoi(input + 3), error);
	if (!LLVMCreateMemoryBufferWithContentsOfFile(input, &buffer, &text))
		return buffer;
	lp_fail(error, "cannot read '%s': %s", input, text);
	LLVMDisposeMessage(text);
	return NULL;
}

static LLVMModuleRef parse(LLVMContextRef context, LLVMMemoryBufferRef buffer, const char *name,
			   struct lp_error *error)
{
	LLVMModuleRef module = NULL;

	if (!buffer)
		return NULL;
	if (LLVMParseBitcodeInContext2(context, buffer, &module)) {
		lp_fail(error, "'%s' is not LLVM bitcode of this version", name);
		module = NULL;
	}
	LLVMDisposeMemoryBuffer(buffer);
	return module;
}

static bool link_module(struct lp_ir *ir, LLVMModuleRef module, struct lp_error *error)
{
	if (!module)
		return false;
	if (!ir->module)
		ir->module = module;
	else if (LLVMLinkModules2(ir->module, module))
		return lp_fail(error, "the files do not fit together");
	return true;
}

/* A main() of the program's own is out of the way of ours. */
static void rename_main(LLVMModuleRef module)
{
	const lp_ir_value own = LLVMGetNamedFunction(module, "main");

	if (own)
		LLVMSetValueName2(own, "lp_own_main", strlen("lp_own_main"));
}

static bool link_client(struct lp_ir *ir, struct lp_error *error)
{
	const LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
		lp_client_bitcode, (size_t)(lp_client_bitcode_end - lp_client_bitcode), "client");
	const LLVMModuleRef client = parse(ir->context, buffer, "client", error);

	if (client)
		lp_ir_mark_own(client);
	rename_main(ir->module);
	return link_module(ir, client, error);
}

/* ---- members ---- */

/* The first or next of functions and variables. */
static lp_ir_value first_symbol(LLVMModuleRef module)
{
	const lp_ir_value f = LLVMGetFirstFunction(module);

	return f ? f : LLVMGetFirstGlobal(module);
}

static lp_ir_value next_symbol(LLVMModuleRef module, lp_ir_value v)
{
	if (!LLVMIsAFunction(v))
		return LLVMGetNextGlobal(v);
	const lp_ir_value f = LLVMGetNextFunction(v);
	return f ? f : LLVMGetFirstGlobal(module);
}

static lp_ir_value symbol(LLVMModuleRef module, const char *name)
{
	const lp_ir_value f = LLVMGetNamedFunction(module, name);

	return f ? f : LLVMGetNamedGlobal(module, name);
}

static bool is_needed(const struct lp_ir *ir, LLVMModuleRef member)
{
	for (lp_ir_value v = first_symbol(member); v; v = next_symbol(member, v)) {
		if (LLVMIsDeclaration(v) || LLVMGetLinkage(v) == LLVMInternalLinkage ||
		    LLVMGetLinkage(v) == LLVMPrivateLinkage)
			continue;
		const lp_ir_value known = symbol(ir->module, lp_ir_name(v));
		if (known && LLVMIsDeclaration(known))
			return true;
	}
	return false;
}

/* Until no more are needed. */
static bool link_members(struct lp_ir *ir, const struct request *request, struct lp_error *error)
{
	const uint32_t count = request->members.count;
	LLVMModuleRef *members = lp_alloc_zero(count + 1, sizeof *members);
	bool good = true, more = true;

	for (uint32_t i = 0; good && i < count; i++)
		good = (members[i] = parse(ir->context, read_input(request->members.at[i], error),
					   request->members.at[i], error)) != NULL;
	while (good && more) {
		more = false;
		for (uint32_t i = 0; good && i < count; i++)
			if (members[i] && is_needed(ir, members[i])) {
				if (request->client)
					rename_main(members[i]);
				good = link_module(ir, members[i], error);
				members[i] = NULL;
				more = true;
			}
	}
	lp_free(members);
	return good;
}

static bool is_source(const char *input)
{
	return HAS_CLANG && !strcmp(input, "--source");
}

/* The bitcode of the input at that place, which may have several words. */
static LLVMMemoryBufferRef read_words(const struct request *request, int *at, struct lp_error *error)
{
	char **input = request->inputs + *at;

	if (!is_source(*input))
		return read_input(*input, error);
	const int count = atoi(input[1]);
	*at += 1 + count;
	return lp_clang_translate(input + 2, count);
}

/* Compilers that write to us are not stopped by our end before they have said what is wrong. */
static void drain(char **inputs, int count)
{
	char bytes[4096];

	for (int i = 0; i < count; i++)
		if (!strncmp(inputs[i], "fd:", 3))
			while (read(atoi(inputs[i] + 3), bytes, sizeof bytes) > 0)
				;
}

static bool read_inputs(struct lp_ir *ir, const struct request *request, struct lp_error *error)
{
	for (int i = 0; i < request->count; i++) {
		const char *name = request->inputs[i];
		if (!link_module(ir, parse(ir->context, read_words(request, &i, error), name, error), error)) {
			drain(request->inputs + i, request->count - i);
			return false;
		}
	}
	return true;
}

static bool read_all(struct lp_ir *ir, const struct request *request, struct lp_error *error)
{
	return read_inputs(ir, request, error) && (!request->client || link_client(ir, error)) &&
	       link_members(ir, request, error) && lp_ir_link_library(ir, error);
}

static bool write_report(const struct lp_ir *ir, const char *path, struct lp_error *error)
{
	FILE *out = fopen(path, "we");

	if (!out)
		return lp_fail(error, "cannot write '%s'", path);
	for (lp_ir_value v = first_symbol(ir->module); v; v = next_symbol(ir->module, v))
		if (LLVMIsDeclaration(v) && LLVMGetFirstUse(v) && strncmp(lp_ir_name(v), "llvm.", 5))
			fprintf(out, "%s\n", lp_ir_name(v));
	return !fclose(out) || lp_fail(error, "cannot write '%s'", path);
}

/* A line that is not a symbol: the object depends on more than what was given to us. */
static bool report_reading(const char *path, struct lp_error *error)
{
	FILE *out = fopen(path, "ae");
	const bool written = out && fputs("\treads files\n", out) >= 0;

	return (out && !fclose(out) && written) || lp_fail(error, "cannot write '%s'", path);
}

/* ---- instrumenting ---- */

static void open_ir(struct lp_ir *ir)
{
	ir->builder = LLVMCreateBuilderInContext(ir->context);
	ir->layout = LLVMGetModuleDataLayout(ir->module);
	ir->i1 = LLVMInt1TypeInContext(ir->context);
	ir->i8 = LLVMInt8TypeInContext(ir->context);
	ir->i32 = LLVMInt32TypeInContext(ir->context);
	ir->i64 = LLVMInt64TypeInContext(ir->context);
	ir->i128 = LLVMInt128TypeInContext(ir->context);
	ir->ptr = LLVMPointerTypeInContext(ir->context, 0);
	ir->nothing = LLVMVoidTypeInContext(ir->context);
	LLVMTypeRef parts[] = { ir->ptr, ir->ptr, ir->i64 };
	ir->current_type = LLVMStructTypeInContext(ir->context, parts, 3, false);
	ir->current = LLVMAddGlobal(ir->module, ir->current_type, "lp.current");
	LLVMSetInitializer(ir->current, LLVMConstNull(ir->current_type));
	LLVMSetVisibility(ir->current, LLVMHiddenVisibility); /* internal, it could be removed as unused */
	lp_ir_sites_open(ir);
}

#define SIMPLIFY "sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,jump-threading,correlated-propagation,"  \
	"early-cse,simplifycfg,adce"

/* Coroutines are cut into the pieces between their suspensions, with their variables in a frame on the
 * heap: then they are functions like others. */
static bool split_coroutines(struct lp_ir *ir, struct lp_error *error)
{
	static const char attribute[] = "presplitcoroutine";
	const unsigned kind = LLVMGetEnumAttributeKindForName(attribute, sizeof attribute - 1);

	LP_IR_EACH_FUNCTION(ir, f)
		if (LLVMGetEnumAttributeAtIndex(f, LP_IR_OF_FUNCTION, kind))
			return lp_ir_run_passes(ir, "coro-early,cgscc(coro-split),coro-cleanup", error);
	return true;
}

/* Loads, stores and products of matrices (-fenable-matrix) become those of vectors. */
static bool lower_matrices(struct lp_ir *ir, struct lp_error *error)
{
	LP_IR_EACH_FUNCTION(ir, f)
		if (!strncmp(lp_ir_name(f), "llvm.matrix.", 12))
			return lp_ir_run_passes(ir, "function(lower-matrix-intrinsics)", error);
	return true;
}

/* Local variables become values, and what is left of them is simplified. */
static bool simplify(struct lp_ir *ir, struct lp_error *error)
{
	for (int round = 0; round < 2; round++) {
		lp_ir_privatise(ir);
		if (!lp_ir_run_passes(ir, "function(" SIMPLIFY ")", error))
			return false;
		lp_ir_drop_checks(ir);
	}
	return true;
}

/* A mutant may be an invalid module, which LLVM must not be given. */
static bool is_valid(const struct lp_ir *ir, struct lp_error *error)
{
	char *text = NULL;
	const bool valid = !LLVMVerifyModule(ir->module, LLVMReturnStatusAction, &text);

	if (!valid)
		lp_fail(error, "the mutant is not a valid program: %s", text);
	LLVMDisposeMessage(text);
	return valid;
}

/* What debuggers are told of variables is made instructions meanwhile: these can be moved like others. */
static bool mutate(struct lp_ir *ir, const struct request *request, struct lp_error *error)
{
	bool found = true;

	if (!request->mutant && !request->mutants)
		return true;
	LLVMSetIsNewDbgInfoFormat(ir->module, false);
	if (request->mutant && !lp_ir_mutate(ir, request->mutant, &found, error))
		return false;
	if (!found)
		exit(LP_NO_SUCH_MUTANT);
	if (request->mutants && !lp_ir_list_mutants(ir, request->mutants, error))
		return false;
	LLVMSetIsNewDbgInfoFormat(ir->module, true);
	return is_valid(ir, error);
}

static bool instrument(struct lp_ir *ir, const struct request *request, struct lp_error *error)
{
	const bool debug = request->debug;

	if (!debug && !request->mutant && !request->mutants) /* the marks of coverage must not be mutated */
		lp_ir_insert_coverage(ir);
	if (!split_coroutines(ir, error) || !lower_matrices(ir, error))
		return false;
	lp_lower_assembly(ir->module);
	lp_ir_check_orders(ir);
	if (!mutate(ir, request, error))
		return false;
	lp_ir_replace_ifuncs(ir);
	lp_ir_prepare(ir);
	lp_ir_wrap_unknown(ir);
	lp_ir_insert_hooks(ir);
	lp_ir_keep_arrays(ir);
	lp_ir_move_locals(ir);
	if (!debug)
		lp_ir_choose_inlined(ir);
	lp_ir_check_all_written(ir);
	if (!debug && !lp_ir_run_passes(ir, "function(sroa)", error))
		return false;
	lp_ir_drop_checks(ir);
	if (!lp_ir_run_passes(ir, "always-inline", error))
		return false;
	if (debug)
		lp_ir_privatise(ir);
	else if (!simplify(ir, error))
		return false;
	if (!lp_ir_run_passes(ir, "globaldce,function(break-crit-edges)", error))
		return false;
	lp_ir_check_bounds(ir);
	lp_ir_find_addresses(ir);
	lp_ir_insert_objects(ir);
	lp_ir_insert_frames(ir);
	lp_ir_sites_define(ir);
	lp_ir_lower_marks(ir);
	return true;
}

static void print(const struct lp_ir *ir)
{
	char *text = LLVMPrintModuleToString(ir->module);

	fputs(text, stderr);
	LLVMDisposeMessage(text);
}

static bool compile(const struct request *request, struct lp_error *error)
{
	struct lp_ir ir = { .context = LLVMContextCreate() };

	if (!read_all(&ir, request, error) ||
	    (request->keep && LLVMWriteBitcodeToFile(ir.module, request->keep) &&
	     !lp_fail(error, "cannot write '%s'", request->keep)) ||
	    (request->report && !write_report(&ir, request->report, error)))
		return false;
	open_ir(&ir);
	const bool done = instrument(&ir, request, error) &&
			  (!request->report || !ir.reads_files || report_reading(request->report, error));
	if (request->print)
		print(&ir);
	return done && lp_ir_emit(&ir, request->level, request->object, error);
}

/* ---- the command line ---- */

/* Is there a count after each --source, and are there as many words? */
static bool are_complete(char **inputs, int count)
{
	int i = 0;

	while (i < count) {
		const int words = !is_source(inputs[i]) ? 0 : i + 1 < count ? atoi(inputs[i + 1]) : -1;
		if (is_source(inputs[i]) && (words < 1 || words > count - i - 2))
			return false;
		i += words ? words + 2 : 1;
	}
	return count;
}

static bool read_arguments(struct request *request, int argc, char **argv)
{
	int i = 1;

	for (; i < argc && argv[i][0] == '-' && !is_source(argv[i]); i++) {
		if (!strcmp(argv[i], "-O") && i + 1 < argc)
			request->level = (unsigned)atoi(argv[++i]);
		else if (!strcmp(argv[i], "-o") && i + 1 < argc)
			request->object = argv[++i];
		else if (!strcmp(argv[i], "--report") && i + 1 < argc)
			request->report = argv[++i];
		else if (!strcmp(argv[i], "--mutant") && i + 1 < argc)
			request->mutant = argv[++i];
		else if (!strcmp(argv[i], "--mutants") && i + 1 < argc)
			request->mutants = argv[++i];
		else if (!strcmp(argv[i], "--keep") && i + 1 < argc)
			request->keep = argv[++i];
		else if (!strcmp(argv[i], "--member") && i + 1 < argc)
			LP_PUSH(&request->members, argv[++i]);
		else if (!strcmp(argv[i], "--client"))
			request->client = true;
		else if (!strcmp(argv[i], "--debug"))
			request->debug = true;
		else if (!strcmp(argv[i], "--print"))
			request->print = true;
		else
			return false;
	}
	request->inputs = argv + i;
	request->count = argc - i;
	return request->object && are_complete(request->inputs, request->count);
}

static void open_targets(void)
{
	LLVMInitializeX86TargetInfo();
	LLVMInitializeX86Target();
	LLVMInitializeX86TargetMC();
	LLVMInitializeX86AsmPrinter();
	LLVMInitializeX86AsmParser();
	LLVMInitializeAArch64TargetInfo();
	LLVMInitializeAArch64Target();
	LLVMInitializeAArch64TargetMC();
	LLVMInitializeAArch64AsmPrinter();
	LLVMInitializeAArch64AsmParser();
}

static int run(int argc, char **argv)
{
	struct request request = { .level = 1 };
	struct lp_error error = { .text = "" };

	if (HAS_CLANG && argc > 2 && !strcmp(argv[1], "--clang"))
		return lp_clang_write(argv + 2, argc - 2) ? 0 : 1;
	if (HAS_CLANG && argc > 3 && !strcmp(argv[1], "--declarations"))
		return lp_clang_declarations(argv[2], argv + 3, argc - 3) ? 0 : 1;
	if (!read_arguments(&request, argc, argv)) {
		fputs("usage: linchpin-fe [-O LEVEL] [--debug] [--client] [--member FILE]... [--report FILE] [--print] "
		      "[--mutant NAME | --mutants FILE] [--keep FILE] -o OBJECT INPUT...\n", stderr);
		return 2;
	}
	if (compile(&request, &error))
		return 0;
	if (!error.text[0]) /* a compiler has failed, and has said so itself */
		return LP_COMPILER_FAILED;
	fprintf(stderr, "linchpin-fe: %s\n", error.text);
	return 1;
}

int main(int argc, char **argv)
{
	open_targets();
	if (argc != 6 || strcmp(argv[1], "--serve"))
		return run(argc, argv);
	lp_serving(atoi(argv[2]), (struct lp_request){ atoi(argv[3]), atoi(argv[4]), atoi(argv[5]) }, run);
	return 0;
}
