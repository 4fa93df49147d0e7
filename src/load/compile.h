/* compile.h -- from the user's source files to a shared object of ours.
 *
 * The user's compiler instruments every shared access (-fsanitize=thread); the
 * hooks that it calls are the runtime's.  Between compiling and linking the
 * objects are edited: undefined symbols that the runtime models are bound to
 * its versions, constructors are moved where dlopen() does not run them, and
 * __tls_get_addr is replaced, so that each coroutine has its own thread-locals.
 */
#ifndef LP_LOAD_COMPILE_H
#define LP_LOAD_COMPILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/vec.h"

/* Things in the program that we cannot see into: a reason for doubt. */
enum lp_finding_kind {
	LP_FINDING_CALL,     /* a function that is not modelled */
	LP_FINDING_ASSEMBLY, /* inline assembly */
};

struct lp_finding {
	enum lp_finding_kind kind;
	char *text;   /* one line in plain words, with file:line where known */
	char *symbol; /* a function that is called: it counts if a mark of that name was executed,
	               * or has none (marks.h); NULL: it counts in any case */
};

struct lp_findings {
	LP_VEC(struct lp_finding);
	bool identity; /* the program asks which thread it is on, or has thread-locals */
};

void lp_findings_add(struct lp_findings *, enum lp_finding_kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void lp_findings_drop(struct lp_findings *);

struct lp_compile_request {
	const char *file;             /* a source; or what `linchpin cc` has made: fat.h */
	const char *compiler;         /* NULL: gcc; C++ sources get its C++ twin */
	const char *const *flags;     /* the user's, NULL-terminated; or NULL */
	const char *const *modelled;  /* symbols to bind to lp_enter_NAME; NULL-terminated */
	const char *include;          /* folder of linchpin.h, or NULL: looked for */
	bool entries;                 /* hooks at function entries and exits */
	bool interleaved;             /* every plain access counts, not only where it races */
	bool client;                  /* an object, to be called by linchpin/main.c */
};

/* Compiles and links into `folder` (of lp_folder_open()); `*shared` is the path of
 * the shared object.  Compiler messages go to standard error. */
bool lp_compile(const struct lp_compile_request *, const char *folder,
		char shared[static 96], struct lp_findings *, struct lp_error *);

/* Compiles one source file into FOLDER/0.o, for lp_compile() to link: a twin (fat.h).  Of the
 * flags, what concerns other files is ignored. */
bool lp_compile_twin(const struct lp_compile_request *, const char *folder, struct lp_findings *,
		     struct lp_error *);

/* The folder of linchpin.h; "" if there is none. */
void lp_compile_include(char out[static 512]);

/* Compiles the same sources as they are, without hooks or main(), into a shared object:
 * for functions of the user's that linchpin calls itself. */
bool lp_compile_plain(const struct lp_compile_request *, const char *folder,
		      char shared[static 96], struct lp_error *);

/* What lp_compile(), or lp_compile_plain(), has left in the folder, which was kept since. */
bool lp_compiled(bool plain, const char *folder, char shared[static 96], struct lp_error *);

struct lp_assembly_request {
	const char *from, *to;      /* assembly files */
	const char *source;         /* what it was made of */
	bool (*knows)(const void *closure, const char *symbol);
	const void *closure;
};

/* Copies the assembly, with marks (marks.h) before all that linchpin does not understand: inline
 * assembly, instructions of intrinsics, and references to symbols that are not known.  What
 * cannot be marked becomes a finding.  Where there are no marks, nothing is copied. */
bool lp_assembly_mark(const struct lp_assembly_request *, struct lp_findings *);

/* Is `name` a library function that touches no memory but its arguments' and its
 * own, and is therefore no reason for doubt when not modelled? */
bool lp_is_harmless(const char *name);

/* Does what a program does that uses `name` depend on which thread does it? */
bool lp_asks_who(const char *name);

#endif
