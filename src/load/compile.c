/* compile.c -- driving the user's compiler.
 *
 *     source --cc -S--> assembly --cc -c--> object --objcopy--> object --cc -shared--> .so
 *
 * Going through the assembly text costs nothing, compilers do it anyway, and
 * shows inline assembly.  The flags are those of docs/architecture.md: the hooks
 * must see every access, so nothing may be expanded inline behind their back.
 */
#include "load/compile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "load/binary.h"
#include "load/command.h"
#include "load/elf_file.h"
#include "load/units.h"
#include "load/user_line.h"

/* client.S */
extern const char lp_client_object[], lp_client_object_end[];

struct names {
	LP_VEC(char *);
};

/* One compilation: the request, sorted into what each step needs. */
struct job {
	const struct lp_compile_request *request;
	const char *folder;
	struct lp_command sources, compile, link; /* flags of the last two */
	bool clang, cplusplus, optimised, entries;
	struct lp_units units; /* what `linchpin cc` has compiled before */
	struct lp_command compiled; /* where the objects after those of the sources come from */
	uint32_t objects;      /* of sources and units: FOLDER/0.o and so on */
	char include[512];
	struct names defined; /* by any of the objects; sorted */
	struct names wanted;  /* undefined somewhere */
	struct names priorities; /* constructor sections with a priority */
};

static void names_drop(struct names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		lp_free(names->at[i]);
	lp_free(names->at);
	*names = (struct names){ 0 };
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool names_have(const struct names *names, const char *name)
{
	return names->count &&
	       bsearch(&name, names->at, names->count, sizeof *names->at, by_name);
}

static bool ends_in(const char *name, const char *const *endings)
{
	const char *dot = strrchr(name, '.');

	for (; dot && *endings; endings++)
		if (!strcmp(dot, *endings))
			return true;
	return false;
}

static bool is_cplusplus(const char *name)
{
	return ends_in(name, (const char *const[]){ ".cc", ".cpp", ".cxx", ".C", ".c++",
						    ".ii", NULL });
}

static bool is_source(const char *name)
{
	return is_cplusplus(name) || ends_in(name, (const char *const[]){ ".c", ".i", NULL });
}

static bool is_linked(const char *name)
{
	return ends_in(name, (const char *const[]){ ".o", ".a", ".so", NULL }) ||
	       lp_binary_kind(name) != LP_BINARY_NONE;
}

/* Does the flag take the next argument as its own? */
static bool takes_argument(const char *flag)
{
	static const char *const flags[] = {
		"-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter", "-imacros",
		"-x", "-MF", "-MT", "-MQ", "-Xpreprocessor", "-Xassembler", "--param", "-mllvm",
		"-target", "-Xclang", NULL
	};

	for (const char *const *f = flags; *f; f++)
		if (!strcmp(flag, *f))
			return true;
	return false;
}

static bool sort_flags(struct job *job, struct lp_error *error)
{
	const char *const *flag = job->request->flags;

	lp_command_add(!is_source(job->request->file) && is_linked(job->request->file) ?
		       &job->link : &job->sources, job->request->file);
	for (; flag && *flag; flag++) {
		if (!strcmp(*flag, "-c") || !strcmp(*flag, "-S") || !strcmp(*flag, "-E") ||
		    !strncmp(*flag, "-o", 2))
			return lp_fail(error, "'%s' is not for the user to say: linchpin "
				       "decides what is compiled into what", *flag);
		if (takes_argument(*flag)) {
			if (!flag[1])
				return lp_fail(error, "an argument is missing after '%s'",
					       *flag);
			lp_command_add(&job->compile, flag[0]);
			lp_command_add(&job->compile, flag[1]);
			flag++;
		} else if (!strcmp(*flag, "-L") || !strcmp(*flag, "-l") ||
			   !strcmp(*flag, "-Xlinker")) {
			lp_command_add(&job->link, *flag);
			if (flag[1])
				lp_command_add(&job->link, *++flag);
		} else if ((*flag)[0] != '-' && is_source(*flag)) {
			lp_command_add(&job->sources, *flag);
		} else if ((*flag)[0] != '-' ? is_linked(*flag) :
			   !strncmp(*flag, "-l", 2) || !strncmp(*flag, "-L", 2) ||
			   !strncmp(*flag, "-Wl,", 4)) {
			lp_command_add(&job->link, *flag);
		} else if (strncmp(*flag, "-O", 2) || !strcmp(*flag, "-O0") || !strcmp(*flag, "-Og")) {
			job->optimised |= !strncmp(*flag, "-O", 2);
			lp_command_add(&job->compile, *flag);
		} /* More than -O1 copies loops about, and what goes round is not recognised. */
	}
	if (job->request->client) /* an object's own one is out of the way of ours */
		lp_command_add(&job->compile, "-Dmain=lp_own_main");
	for (uint32_t i = 0; i < job->sources.count; i++) {
		if (access(job->sources.at[i], R_OK))
			return lp_fail(error, "cannot read '%s': %s", job->sources.at[i],
				       strerror(errno));
		if (!is_source(job->sources.at[i]))
			return lp_fail(error, "'%s' is neither a C nor a C++ file by its name",
				       job->sources.at[i]);
		job->cplusplus |= is_cplusplus(job->sources.at[i]);
	}
	return true;
}

/* gcc-12 has g++-12 as its C++ twin, clang-14 clang++-14, cc c++. */
static void cplusplus_twin(const char *compiler, char *out, size_t size)
{
	static const char *const twins[][2] = { { "clang", "clang++" }, { "gcc", "g++" },
						{ "cc", "c++" } };
	const char *slash = strrchr(compiler, '/');
	const char *name = slash ? slash + 1 : compiler;

	for (size_t i = 0; i < 3; i++) {
		const char *at = strstr(name, twins[i][0]);
		if (at && !strstr(name, "++")) {
			snprintf(out, size, "%.*s%s%s", (int)(at - compiler), compiler,
				 twins[i][1], at + strlen(twins[i][0]));
			return;
		}
	}
	snprintf(out, size, "%s", compiler);
}

/* Asks a compiler whose name does not tell whether it is clang. */
static bool says_clang(const char *compiler)
{
	char line[1024], words[256] = "";

	if (strchr(compiler, '\''))
		return false;
	snprintf(line, sizeof line, "'%s' --version 2>/dev/null", compiler);
	FILE *pipe = popen(line, "r");
	if (pipe) {
		words[fread(words, 1, sizeof words - 1, pipe)] = '\0';
		pclose(pipe);
	}
	return strstr(words, "clang") != NULL;
}

static bool is_clang(const char *compiler)
{
	const char *slash = strrchr(compiler, '/');
	const char *name = slash ? slash + 1 : compiler;

	if (strstr(name, "clang"))
		return true;
	return !strstr(name, "gcc") && !strstr(name, "g++") && says_clang(compiler);
}

/* The folder of linchpin.h: beside the build tree, or in the installed prefix. */
static void find_include(struct job *job)
{
	static const char *const places[] = { "../include", "../../include", "../../../include",
					      "../../../../include" };
	char self[384];
	const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

	job->include[0] = '\0';
	if (job->request->include) {
		snprintf(job->include, sizeof job->include, "%s", job->request->include);
		return;
	}
	if (length > 0) {
		self[length] = '\0';
		*strrchr(self, '/') = '\0';
		for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
			char header[560];
			snprintf(job->include, sizeof job->include, "%s/%s", self, places[i]);
			snprintf(header, sizeof header, "%s/linchpin.h", job->include);
			if (!access(header, R_OK))
				return;
		}
	}
#ifdef LP_INCLUDE_DIR
	snprintf(job->include, sizeof job->include, "%s", LP_INCLUDE_DIR);
#else
	job->include[0] = '\0';
#endif
}

static void add_all(struct lp_command *command, const char *const *arguments)
{
	for (; *arguments; arguments++)
		lp_command_add(command, *arguments);
}

/* Flags before the user's can be overridden by them, flags after cannot. */
static void add_flags_before(const struct job *job, struct lp_command *command)
{
	if (!job->optimised)
		lp_command_add(command, "-O1");
	lp_command_add(command, "-g");
	if (job->clang)
		lp_command_add(command, "-Wno-unused-command-line-argument");
	if (job->include[0]) {
		lp_command_add(command, "-I");
		lp_command_add(command, job->include);
	}
}

static void add_flags_after(const struct job *job, bool cplusplus, struct lp_command *command)
{
	static const char *const both[] = {
		"-fsanitize=thread", "-fPIC", "-fno-builtin", "-fno-omit-frame-pointer",
		"-fno-stack-protector", "-fstack-clash-protection", "-ftls-model=global-dynamic",
		"-fno-lto", "-U__SANITIZE_THREAD__", NULL
	};
	/* What is only written must stay, and what is read for nothing: that races, too. */
	static const char *const gcc[] = {
		"-fno-ipa-reference-addressable", "-fno-ipa-ra", "-fno-tree-dce", "-fno-tree-dse",
		"-fno-tree-fre", "-Wno-tsan", "--param", "tsan-distinguish-volatile=1", "--param", NULL
	};
	/* Nor may two accesses become one.  It costs executions: less is known to be unused. */
	static const char *const gcc_interleaved[] = {
		"-fno-tree-dominator-opts", "-fno-tree-pre", NULL
	};
	static const char *const clang[] = {
		"-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-mllvm",
		"-tsan-distinguish-volatile=1", "-mllvm",
		"-tsan-instrument-read-before-write=1", "-mllvm", NULL
	};

	add_all(command, both);
	if (job->request->interleaved && !job->clang)
		add_all(command, gcc_interleaved);
	add_all(command, job->clang ? clang : gcc);
	if (job->clang)
		lp_command_add(command, job->entries ?
			       "-tsan-instrument-func-entry-exit=1" :
			       "-tsan-instrument-func-entry-exit=0");
	else
		lp_command_add(command, job->entries ?
			       "tsan-instrument-func-entry-exit=1" :
			       "tsan-instrument-func-entry-exit=0");
#if defined(__x86_64__)
	lp_command_add(command, "-fcf-protection=none");
	lp_command_add(command, "-fno-jump-tables");
	if (job->clang)
		lp_command_add(command, "-mcx16");
	else
		lp_command_add(command, "-mtls-dialect=gnu");
#elif defined(__aarch64__)
	lp_command_add(command, "-fno-jump-tables");
	lp_command_add(command, "-mno-outline-atomics");
	if (!job->clang)
		lp_command_add(command, "-mtls-dialect=trad");
#endif
	/* Besides assertions worth having, this makes std::string part of the user's code,
	 * where hooks see it, instead of libstdc++'s. */
	if (cplusplus) {
		lp_command_add(command, "-D_GLIBCXX_ASSERTIONS");
		lp_command_add(command, "-D_GLIBCXX_TSAN=1"); /* no accesses of mixed sizes */
	}
	if (job->entries) /* or functions would have none */
		lp_command_add(command, "-fno-inline");
}

static const char *compiler_for(const struct job *job, const char *source, char *room,
				size_t size)
{
	const char *compiler = job->request->compiler ? job->request->compiler : "gcc";

	if (!is_cplusplus(source))
		return compiler;
	cplusplus_twin(compiler, room, size);
	return room;
}

/* Is the symbol one that we model, or that needs no model? */
static bool is_modelled(const void *closure, const char *name)
{
	const struct job *job = closure;

	if (lp_is_harmless(name))
		return true;
	for (const char *const *m = job->request->modelled; m && *m; m++)
		if (!strcmp(*m, name))
			return true;
	return false;
}

static bool compile_one(struct job *job, uint32_t number, struct lp_findings *findings,
			struct lp_error *error)
{
	const char *source = job->sources.at[number];
	char assembly[96], marked[96], object[96], compiler[512];
	struct lp_command to_assembly = { 0 }, to_object = { 0 };

	snprintf(assembly, sizeof assembly, "%s/%u.s", job->folder, number);
	snprintf(marked, sizeof marked, "%s/%u.marked.s", job->folder, number);
	snprintf(object, sizeof object, "%s/%u.o", job->folder, number);
	lp_command_add(&to_assembly, compiler_for(job, source, compiler, sizeof compiler));
	lp_command_add(&to_assembly, "-S");
	add_flags_before(job, &to_assembly);
	for (uint32_t i = 0; i < job->compile.count; i++)
		lp_command_add(&to_assembly, job->compile.at[i]);
	add_flags_after(job, is_cplusplus(source), &to_assembly);
	add_all(&to_assembly, (const char *const[]){ "-o", assembly, source, NULL });

	const struct lp_assembly_request marking = {
		.from = assembly, .to = marked, .source = source, .knows = is_modelled, .closure = job,
	};
	bool done = lp_command_run(&to_assembly, "the compiler", error) &&
		    (lp_assembly_mark(&marking, findings) ||
		     lp_fail(error, "cannot write '%s': %s", marked, strerror(errno)));
	lp_command_add(&to_object, to_assembly.at[0]);
	add_all(&to_object, (const char *const[]){ "-c", "-Wa,--no-warn", "-o", object,
						    access(marked, R_OK) ? assembly : marked, NULL });
	done = done && lp_command_run(&to_object, "the assembler", error);
	lp_command_drop(&to_assembly);
	lp_command_drop(&to_object);
	return done;
}

static bool note_symbol(void *closure, const struct lp_elf_symbol *symbol)
{
	struct job *job = closure;

	if (!symbol->defined)
		LP_PUSH(&job->wanted, lp_strdup(symbol->name));
	else if (symbol->global)
		LP_PUSH(&job->defined, lp_strdup(symbol->name));
	return true;
}

static bool note_section(void *closure, const struct lp_elf_section *section)
{
	struct job *job = closure;

	if (!strncmp(section->name, ".init_array.", 12))
		LP_PUSH(&job->priorities, lp_strdup(section->name));
	return true;
}

static bool read_objects(struct job *job, struct lp_error *error)
{
	names_drop(&job->defined);
	names_drop(&job->wanted);
	names_drop(&job->priorities);
	for (uint32_t i = 0; i < job->objects; i++) {
		char object[96];
		snprintf(object, sizeof object, "%s/%u.o", job->folder, i);
		const int fd = open(object, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return lp_fail(error, "the compiler left no object file");
		bool done = lp_elf_symbols(fd, note_symbol, job, error) &&
			    lp_elf_sections(fd, note_section, job, error);
		/* Not a reason for doubt: every answer would be wrong. */
		if (done && lp_elf_has_static_tls(fd))
			done = lp_fail(error,
				       "'%s' has thread-local variables with a static TLS model, which "
				       "all threads would share: not supported",
				       i < job->sources.count ? job->sources.at[i] :
					       job->compiled.at[i - job->sources.count]);
		close(fd);
		if (!done)
			return false;
	}
	if (job->defined.count)
		qsort(job->defined.at, job->defined.count, sizeof *job->defined.at, by_name);
	if (job->wanted.count)
		qsort(job->wanted.at, job->wanted.count, sizeof *job->wanted.at, by_name);
	return true;
}

/* Functions of that name run atomically: the runtime must see their entry. */
static bool wants_entries(const struct job *job)
{
	for (uint32_t i = 0; i < job->defined.count; i++)
		if (!strncmp(job->defined.at[i], "__VERIFIER_atomic_", 18))
			return true;
	return false;
}

/* Only what no object defines is renamed: the user's own `lock` stays theirs. */
static bool write_map(const struct job *job, const char *path, struct lp_error *error)
{
	FILE *map = fopen(path, "we");

	if (!map)
		return lp_fail(error, "cannot write '%s': %s", path, strerror(errno));
	for (const char *const *name = job->request->modelled; name && *name; name++)
		if (names_have(&job->wanted, *name) && !names_have(&job->defined, *name))
			fprintf(map, "%s lp_enter_%s\n", *name, *name);
	fprintf(map, "__tls_get_addr lp_tls_get_addr\n");
	if (fclose(map))
		return lp_fail(error, "cannot write '%s': %s", path, strerror(errno));
	return true;
}

static bool edit_one(const struct job *job, uint32_t number, const char *map,
		     struct lp_error *error)
{
	struct lp_command command = { 0 };
	char object[96], redefine[128];
	struct names renames = { 0 };

	snprintf(object, sizeof object, "%s/%u.o", job->folder, number);
	snprintf(redefine, sizeof redefine, "--redefine-syms=%s", map);
	add_all(&command, (const char *const[]){ "objcopy", redefine, "--rename-section",
						 ".init_array=lp_ctors", "--rename-section",
						 ".ctors=lp_ctors", "--rename-section",
						 ".fini_array=lp_dtors", NULL });
	for (uint32_t i = 0; i < job->priorities.count; i++) {
		char rename[160];
		const char *section = job->priorities.at[i];
		snprintf(rename, sizeof rename, "%s=lp_ctors%s", section,
			 strrchr(section, '.'));
		LP_PUSH(&renames, lp_strdup(rename));
		lp_command_add(&command, "--rename-section");
		lp_command_add(&command, LP_LAST(&renames));
	}
	if (job->request->client && number > job->sources.count) /* as -D does for sources */
		lp_command_add(&command, "--redefine-sym=main=lp_own_main");
	lp_command_add(&command, object);
	const bool done = lp_command_run(&command, "objcopy", error);
	lp_command_drop(&command);
	names_drop(&renames);
	return done;
}

/* -Bsymbolic: the program's own symbols are not overridden by ours or libc's. */
static bool link_all(const struct job *job, const char *shared, struct lp_error *error)
{
	struct lp_command command = { 0 };
	struct names objects = { 0 };
	char compiler[512];

	lp_command_add(&command, compiler_for(job, job->cplusplus ? "x.cc" : "x.c", compiler,
					      sizeof compiler));
	add_all(&command, (const char *const[]){ "-shared", "-Wl,-z,now", "-Wl,-z,relro",
						 "-Wl,-Bsymbolic", "-Wl,-z,noexecstack",
						 "-o", shared, NULL });
	for (uint32_t i = 0; i < job->objects; i++) {
		char object[96];
		snprintf(object, sizeof object, "%s/%u.o", job->folder, i);
		LP_PUSH(&objects, lp_strdup(object));
		lp_command_add(&command, LP_LAST(&objects));
	}
	for (uint32_t i = 0; i < job->link.count; i++)
		lp_command_add(&command, job->link.at[i]);
	const bool done = lp_command_run(&command, "the linker", error);
	lp_command_drop(&command);
	names_drop(&objects);
	return done;
}

static void name_unmodelled(const struct job *job, struct lp_findings *findings)
{
	for (uint32_t i = 0; i < job->wanted.count; i++)
		findings->identity |= lp_asks_who(job->wanted.at[i]);
	for (uint32_t i = 0; i < job->wanted.count; i++) {
		const char *name = job->wanted.at[i];
		if (names_have(&job->defined, name) || is_modelled(job, name))
			continue;
		const uint32_t before = findings->count;
		char plain[160];
		lp_plain_name(name, plain, sizeof plain);
		lp_findings_add(findings, LP_FINDING_CALL,
				"calls '%s', which linchpin does not model: its accesses "
				"to shared memory are not seen", plain);
		if (findings->count > before)
			LP_LAST(findings).symbol = lp_strdup(name);
	}
}

/* Makes the main() that calls the object's methods the first object after the sources'. */
static bool use_client(struct job *job, struct lp_error *error)
{
	char object[96];

	snprintf(object, sizeof object, "%s/%u.o", job->folder, job->objects++);
	job->compiled.count = 0;
	lp_command_add(&job->compiled, "linchpin/main.c");
	return lp_binary_write(object, lp_client_object,
			       (size_t)(lp_client_object_end - lp_client_object)) ||
	       lp_fail(error, "cannot write '%s': %s", object, strerror(errno));
}

static bool compile_all(struct job *job, struct lp_findings *findings, struct lp_error *error)
{
	for (uint32_t i = 0; i < job->sources.count; i++)
		if (!compile_one(job, i, findings, error))
			return false;
	job->objects = job->sources.count;
	return (!job->request->client || use_client(job, error)) && read_objects(job, error);
}

/* ---- what `linchpin cc` has compiled ---- */

static bool is_missing(const void *closure, const char *name)
{
	const struct job *job = closure;
	return names_have(&job->wanted, name) && !names_have(&job->defined, name);
}

/* Makes a unit one of the objects. */
static bool use_unit(struct job *job, const struct lp_unit *unit, struct lp_findings *findings,
		     struct lp_error *error)
{
	char object[96];

	snprintf(object, sizeof object, "%s/%u.o", job->folder, job->objects++);
	lp_command_add(&job->compiled, unit->source);
	job->cplusplus |= is_cplusplus(unit->source);
	for (uint32_t i = 0; i < unit->findings.count; i++)
		lp_findings_add(findings, unit->findings.at[i].kind, "%s", unit->findings.at[i].text);
	return lp_binary_write(object, unit->twin, unit->size) ||
	       lp_fail(error, "cannot write '%s': %s", object, strerror(errno));
}

static bool use_units(struct job *job, struct lp_findings *findings, struct lp_error *error)
{
	const struct lp_unit *unit;

	while ((unit = lp_units_next(&job->units, is_missing, job))) {
		if (!unit->twin)
			return lp_units_refuse(unit->from, error);
		if (!use_unit(job, unit, findings, error) || !read_objects(job, error))
			return false;
	}
	return lp_units_suffice(&job->units, is_missing, job, error);
}

static void job_drop(struct job *job)
{
	lp_command_drop(&job->sources);
	lp_command_drop(&job->compile);
	lp_command_drop(&job->link);
	lp_command_drop(&job->compiled);
	names_drop(&job->defined);
	names_drop(&job->wanted);
	names_drop(&job->priorities);
	lp_units_drop(&job->units);
}

static void shared_name(bool plain, const char *folder, char shared[static 96])
{
	snprintf(shared, 96, "%s/%s.so", folder, plain ? "plain" : "program");
}

bool lp_compiled(bool plain, const char *folder, char shared[static 96], struct lp_error *error)
{
	shared_name(plain, folder, shared);
	return !access(shared, R_OK) || lp_fail(error, "there is no '%s'", shared);
}

bool lp_compile(const struct lp_compile_request *request, const char *folder,
		char shared[static 96], struct lp_findings *findings, struct lp_error *error)
{
	struct job job = { .request = request, .folder = folder, .entries = request->entries };
	char map[96];
	bool done = false;

	snprintf(map, sizeof map, "%s/map", folder);
	shared_name(false, folder, shared);
	find_include(&job);
	if (!sort_flags(&job, error) ||
	    !lp_units_take(&job.units, &job.link, request->file, is_source(request->file), folder,
			   findings, error))
		goto out;
	job.clang = is_clang(request->compiler ? request->compiler : "gcc");
	if (!compile_all(&job, findings, error))
		goto out;
	if (!job.entries && wants_entries(&job)) {
		job.entries = true;
		if (!compile_all(&job, findings, error))
			goto out;
	}
	if (!use_units(&job, findings, error) || !write_map(&job, map, error))
		goto out;
	for (uint32_t i = 0; i < job.objects; i++)
		if (!edit_one(&job, i, map, error))
			goto out;
	if (!link_all(&job, shared, error))
		goto out;
	name_unmodelled(&job, findings);
	done = true;
out:
	job_drop(&job);
	return done;
}

bool lp_compile_twin(const struct lp_compile_request *request, const char *folder,
		     struct lp_findings *findings, struct lp_error *error)
{
	struct job job = { .request = request, .folder = folder };

	find_include(&job);
	bool done = sort_flags(&job, error);
	job.sources.count = done ? 1 : 0; /* whatever else stands there */
	job.clang = is_clang(request->compiler ? request->compiler : "gcc");
	done = done && compile_all(&job, findings, error);
	if (done && wants_entries(&job)) {
		job.entries = true;
		done = compile_all(&job, findings, error);
	}
	job_drop(&job);
	return done;
}

void lp_compile_include(char out[static 512])
{
	static const struct lp_compile_request none = { .file = "" };
	struct job job = { .request = &none };

	find_include(&job);
	memcpy(out, job.include, sizeof job.include);
}

bool lp_compile_plain(const struct lp_compile_request *request, const char *folder,
		      char shared[static 96], struct lp_error *error)
{
	struct lp_compile_request plain = *request;
	struct job job = { .request = &plain, .folder = folder };
	struct lp_command command = { 0 };
	char compiler[512];

	plain.client = false;
	shared_name(true, folder, shared);
	find_include(&job);
	bool done = sort_flags(&job, error) &&
		    (job.sources.count ||
		     lp_fail(error, "a specification of one's own must be in a source file: linchpin check "
				    "HARNESS.c -- %s", request->file));
	if (done) {
		job.clang = is_clang(request->compiler ? request->compiler : "gcc");
		lp_command_add(&command, compiler_for(&job, job.sources.at[0], compiler, sizeof compiler));
		add_flags_before(&job, &command);
		for (uint32_t i = 0; i < job.compile.count; i++)
			lp_command_add(&command, job.compile.at[i]);
		/* What it leaves undefined is never called. */
		add_all(&command, (const char *const[]){ "-shared", "-fPIC", "-w", "-Wl,-z,lazy", "-o",
							 shared, NULL });
		for (uint32_t i = 0; i < job.sources.count; i++)
			lp_command_add(&command, job.sources.at[i]);
		for (uint32_t i = 0; i < job.link.count; i++)
			if (job.link.at[i][0] == '-' || !lp_fat_is(job.link.at[i]))
				lp_command_add(&command, job.link.at[i]);
		done = lp_command_run(&command, "the compiler", error);
	}
	lp_command_drop(&command);
	job_drop(&job);
	return done;
}
