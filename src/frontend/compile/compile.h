/* compile.h -- from the user's source files to an instrumented shared object.
 *
 * clang turns the sources into LLVM's intermediate representation; linchpin-fe instruments that
 * (frontend/ir/ir.h), with hooks that the runtime provides (frontend/abi.h).
 */
#ifndef LP_FRONTEND_COMPILE_COMPILE_H
#define LP_FRONTEND_COMPILE_COMPILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/vec.h"

/* Parts of the program that cannot be modelled: reasons for doubt. */
struct lp_findings {
	LP_VEC(char *); /* each is one line of text for the user */
	bool identity; /* the program asks for the current thread, or has thread-locals */
	bool numbered; /* the program asks for a number that identifies the thread, and with which it may compute */
};

void lp_findings_add(struct lp_findings *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void lp_findings_drop(struct lp_findings *);

struct lp_compile_request {
	const char *file;             /* a source, or a file that `linchpin cc` has made (fat.h) */
	const char *compiler;         /* a clang of LLVM's version; NULL: the usual one */
	const char *const *flags;     /* the user's flags, NULL-terminated; or NULL */
	const char *include;          /* the folder of linchpin.h; NULL: it is searched for */
	bool client;                  /* the sources are an object, whose methods linchpin/main.c calls */
	bool debug;                   /* keep local variables visible to debuggers */
	const char *folder;           /* where the result is kept; NULL: it is not kept */
	bool uncached;                /* do not use the cache (frontend/cache/cache.h) */
	const char *mutant;           /* the name of the mutant to be compiled (ir/mutants/mutation.h), or NULL */
	/* A path, or NULL.  If there is a path and `mutant` is NULL, all mutants are listed in PATH.list, and the program is kept
	 * in PATH.bc, so that mutants can be made from it.  If there is a path and `mutant` is not NULL, the mutant is made from
	 * PATH.bc. */
	const char *mutants;
};

/* Room for the path of a shared object. */
#define LP_SHARED_PATH 512

/* Compiles and links, or finds the result in the user's cache.  Stores the path of the shared object in `shared`.
 * If the request names no folder and one is needed, the function creates a folder and stores its path in `own`; the caller passes
 * `own` to lp_command_folder_close() after loading the object.  Compiler messages go to standard error. */
bool lp_compile(const struct lp_compile_request *, char own[static 64], char shared[static LP_SHARED_PATH],
		struct lp_findings *, struct lp_error *);

/* Compiles one source file to a twin (fat.h): bitcode in FOLDER/twin.bc, which lp_compile() can instrument.  Flags that concern other files
 * are ignored. */
bool lp_compile_twin(const struct lp_compile_request *, const char *folder, struct lp_error *);

/* Stores the path of the folder that contains linchpin.h; "" if there is none. */
void lp_compile_include(char out[static 512]);

/* Does what lp_compile() does, but without hooks and without main(): the shared object is for functions
 * of the user that linchpin calls itself. */
bool lp_compile_plain(const struct lp_compile_request *, char own[static 64], char shared[static LP_SHARED_PATH],
		      struct lp_error *);

/* Speeds up commands that compile many programs.  Until lp_compile_end_serving(), up to `at_once` processes of linchpin-fe are
 * kept, each of which serves one compilation of this process or its children after the other (serve/keepers.h).  The results are
 * the same as without them. */
void lp_compile_begin_serving(uint32_t at_once);
void lp_compile_end_serving(void);

/* Finds the shared object that lp_compile() has left in a folder; if `plain`, the one that lp_compile_plain() has left. */
bool lp_compile_find(bool plain, const char *folder, char shared[static LP_SHARED_PATH], struct lp_error *);

#endif
