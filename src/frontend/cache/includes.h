/* includes.h -- notes which files clang has read, and which files it would have read instead if they existed.
 *
 * clang lists the files that it has read (-MD).  But a result also depends on files that did *not* exist:
 *
 *     clang -I a -I b x.c         with #include <r.h>, found as b/r.h: a/r.h must not appear
 *
 * Claim: if a translation is repeated, and the following conditions hold, it reads the same files as before, in the same order,
 * with the same contents.
 *
 *   1  The files that were read have the same contents.
 *   2  Each folder of the search list is the same folder as before.  Folders of the list that did not exist still do not exist.
 *   3  Let F/r be a file that was read, where F is a folder of the list.  Then no folder G before F contains r.
 *   4  Let r be as in 3, and let G be the folder of a file that has an #include with "..." or with a macro; or let G be
 *      the working folder, where the search for the file of -include begins.  Then G does not contain r.
 *   5  No file contains a word that makes the text depend on anything else: __DATE__, __TIME__, __TIMESTAMP__,
 *      #embed, __has_embed; or parts that could be pasted together to one of these words.
 *   6  Each __has_include is of the form __has_include(<r>) or __has_include("r").  If r was not found, neither a folder of the
 *      list nor a folder G as in 4 contains r.
 *
 * (In 3, 4 and 6, G/r may exist if it existed before.  Since clang has not read it, no lookup was for G/r.)
 *
 * Argument: the preprocessor looks up names in the file system, one after another.  Apart from that, its output
 * depends only on the command (5).  Take the first lookup whose answer differs from before.  All earlier lookups had the same
 * answers as before, so this lookup is for the same name as before.  If its answer was a file, that file was read or found by
 * __has_include.  In both cases clang has listed it, so the file still exists (1).  If its answer was "nothing", the name is G/r
 * for some folder G, which is the same folder as before (2).  If r was the name of an #include, r was found in a later folder,
 * since otherwise there would have been an error: so G/r still does not exist (3 or 4).  If r was the name of a __has_include, G/r
 * still does not exist, either: by 3 or 4 if r was found in a later folder, by 6 if it was not found.
 */
#ifndef LP_FRONTEND_CACHE_INCLUDES_H
#define LP_FRONTEND_CACHE_INCLUDES_H

#include <stdbool.h>

#include "base/vec.h"

struct lp_inputs;
struct lp_store;

struct lp_names {
	LP_VEC(char *);
};

void lp_names_drop(struct lp_names *);
void lp_names_add(struct lp_names *, const char *name, size_t length);

/* Where clang searches for headers, as printed with -Xclang -v. */
struct lp_include_search {
	struct lp_names folders; /* in order */
	struct lp_names ignored; /* folders that clang ignores, as duplicates of others */
	struct lp_names missing; /* folders that do not exist */
};

/* Removes the search list from clang's messages and parses it.  Returns false if there is none, or if it is not understood. */
bool lp_include_search_take(struct lp_include_search *, char *messages);
void lp_include_search_drop(struct lp_include_search *);

/* Notes what one translation depends on; `list` is the file that clang has written (-MF).  The store is for
 * the records of headers (headers.h). */
void lp_includes_note(struct lp_inputs *, const struct lp_store *, const struct lp_include_search *, const char *list);

/* Reads the names in a list as clang writes it (-MF); linkers write such lists, too.  Returns false if the list is not understood. */
bool lp_includes_read(const char *list, struct lp_names *);

#endif
