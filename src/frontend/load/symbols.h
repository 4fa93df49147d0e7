/* symbols.h -- names for addresses: source lines, functions, variables.
 *
 * A `pc` is the address of a site (site_names.h).  If a signal has stopped the program, `pc` is a return address instead, which
 * stands for the call before that address.  Debug information is read when it is first needed.  Names that do not fit are cut; all
 * texts are terminated.
 */
#ifndef LP_FRONTEND_LOAD_SYMBOLS_H
#define LP_FRONTEND_LOAD_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lp_object;
struct lp_symbols;

struct lp_symbols *lp_symbols_open(const struct lp_object *);
void lp_symbols_close(struct lp_symbols *);

/* Writes the source line, such as "queue.c:31"; if the line is unknown, the function; if the function is unknown, too, the
 * address. */
void lp_symbols_place(struct lp_symbols *, uintptr_t pc, char *out, size_t size);

/* Writes the name of the function, such as "enqueue"; "" if it is unknown. */
void lp_symbols_function(struct lp_symbols *, uintptr_t pc, char *out, size_t size);

/* Writes the line of the caller, such as "queue.h:88", as lp_site_caller() does; "" if there is none. */
void lp_symbols_caller(struct lp_symbols *, uintptr_t pc, char *out, size_t size);

/* Does main() take arguments? */
bool lp_symbols_take_arguments(struct lp_symbols *);

/* Calls `visit` with the absolute path of every source file of the object that debug information
 * names. */
void lp_symbols_files(struct lp_symbols *, void (*visit)(void *closure, const char *path),
		      void *closure);

/* Writes the variable, or the part of a variable, at that address: "head", "slots[3]", "queue.tail", "buffer+8"; the address itself if no
 * variable is there. */
void lp_symbols_variable(struct lp_symbols *, uintptr_t address, char *out, size_t size);

/* Is the address in a variable of static storage duration? */
bool lp_symbols_is_variable(struct lp_symbols *, uintptr_t address);

/* A part of a block of memory.  The block contains one object, or an array of objects, of a known
 * type. */
struct lp_typed_part {
	const char *key;   /* the type, as lp_ir_type_key() describes it (ir/access/names.h); must stay valid as long as the
			    * lp_symbols */
	size_t all;        /* the size of the block in bytes */
	uint64_t offset;   /* the offset of the part in the block */
	bool whole;        /* as for lp_variable_type_path() (variables.h) */
};

/* Writes the part of the block as a path: "", ".next", "[3].next"; or "+8" if the path is not
 * known. */
void lp_symbols_part(struct lp_symbols *, const struct lp_typed_part *, char *out, size_t size);

#endif
