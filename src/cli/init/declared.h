/* declared.h -- what headers declare, as linchpin-fe lists it (frontend/ir/clang.h). */
#ifndef LP_CLI_INIT_DECLARED_H
#define LP_CLI_INIT_DECLARED_H

#include <stdbool.h>

#include "base/alloc.h"
#include "base/vec.h"

struct lp_error;
struct lp_options;

struct lp_declared_type {
	const char *text;    /* "struct queue *" */
	char sort;           /* v: void; b: bool; i: another integer, an enumerator or a template parameter; p:
	                      * pointer or reference; f: function; o: other */
	const char *to;      /* the type that the type points to: "struct queue"; or NULL */
	char to_sort;
	bool constant;       /* the type points to something constant */
	bool reference;
};

enum { LP_DECLARED_PARAMS = 8 };

struct lp_declared {
	const char *file;
	unsigned line;
	const char *owner;   /* the class of a method; or NULL */
	const char *name;
	struct lp_declared_type result;
	struct {
		const char *name; /* or NULL */
		struct lp_declared_type type;
	} param[LP_DECLARED_PARAMS];
	uint32_t params;
};

struct lp_declarations {
	LP_VEC(struct lp_declared);
	bool cplusplus;
	struct lp_arena arena; /* the texts of the declarations */
};

/* Lists the declarations of the headers that are the operands of the command.  The caller must call
 * lp_declarations_close() even if this returns false. */
bool lp_declarations_open(struct lp_declarations *, const struct lp_options *, struct lp_error *);
void lp_declarations_close(struct lp_declarations *);

/* Reads one line of the list.  A line that is not understood is ignored. */
void lp_declared_read(struct lp_declarations *, char *line);

#endif
