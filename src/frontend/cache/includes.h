/* includes.h -- what clang has read, and what it would have read instead.
 *
 * clang lists the files that it has read (-MD).  But a result also depends on files that did *not* exist:
 *
 *     clang -I a -I b x.c         with #include <r.h>, found as b/r.h: a/r.h must not appear
 *
 * Claim: if a translation is repeated while the inputs noted here hold, it reads the same files
 * in the same order, with the same contents.
 *
 *   1  The files that were read have the same contents.
 *   2  Of the folders of the search list each is the same folder; those that did not exist
 *      still do not.
 *   3  For each file that was read, each folder F of the list such that it is F/r, and each folder
 *      G before F, there is no G/r.
 *   4  For each such r, and the folder G of each file that includes by "...", or by a macro, there
 *      is no G/r.  The working folder is one of them: -include begins there.
 *   5  No file contains a word that makes the text depend on anything else: __DATE__, __TIME__, __TIMESTAMP__,
 *      #embed, __has_embed; or parts that could be pasted together to one of these.
 *   6  Each __has_include is of the form __has_include(<r>) or ("r"); 3 and 4 hold for each folder F.
 *
 * Argument: the preprocessor looks up names in the file system, one after another, and is otherwise a
 * function of the command (5).  Take the first lookup whose answer differs from before.  All earlier ones had
 * the same answers, so it is a lookup of the same name.  If the answer was a file, that file was read, or found by
 * __has_include, and clang has listed it in both cases: 1.  If the answer was "nothing", the name consists
 * of a folder, which is the same as before (2), and the r of an #include that was then found in a later folder,
 * since it would have been an error otherwise: 3 or 4; or the r of a __has_include: 6.
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
	struct lp_names ignored; /* duplicates of others */
	struct lp_names missing;
};

/* Removes the list from clang's messages and parses it; false if there is none, or it is not understood. */
bool lp_include_search_take(struct lp_include_search *, char *messages);
void lp_include_search_drop(struct lp_include_search *);

/* Notes what one translation depends on; `list` is the file that clang has written (-MF).  The store is for
 * what is known of headers (headers.h). */
void lp_includes_note(struct lp_inputs *, const struct lp_store *, const struct lp_include_search *, const char *list);

/* The names in such a file, which linkers write, too; false if it is not understood. */
bool lp_includes_read(const char *list, struct lp_names *);

#endif
