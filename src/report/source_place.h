/* source_place.h -- the path and the line of a place in the source, for tools that run on another
 * machine.
 *
 * On the screen "queue.c:31" is enough.  Tools that annotate the line need the path of the file
 * relative to a folder that also exists on their machine, such as the root of the repository.
 */
#ifndef LP_REPORT_SOURCE_PLACE_H
#define LP_REPORT_SOURCE_PLACE_H

#include <stdbool.h>

struct lp_result;

enum { LP_PLACE_ROOM = 4096 };

struct lp_source_place {
	char path[LP_PLACE_ROOM]; /* relative to the root if the file is below the root, else
				   * absolute */
	unsigned long line;       /* from 1 */
	bool relative;
};

/* Finds the place that `where` ("queue.c:31") means in the result; if `where` is NULL, the place is
 * the first line of the file that was checked (`subject` of the result).  Returns false if `where` is not a place in a file. */
bool lp_place_find(const struct lp_result *, const char *where, const char *root,
		   struct lp_source_place *);

/* Finds the root, to which paths should be relative: the repository that the environment variable
 * GITHUB_WORKSPACE names, or else the current folder. */
void lp_place_root(char out[LP_PLACE_ROOM]);

#endif
