/* source_place.h -- the path and the line of a source place, for programs that are not on this
 * machine.
 *
 * On the screen "queue.c:31" is enough.  Tools that annotate the line need the path of the file,
 * relative to a folder that they also have, such as the root of the repository.
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

/* Finds the place that `where` ("queue.c:31") means in the result.  If `where` is NULL, it is
 * the first line of the subject.  Returns false if `where` is not a place in a file. */
bool lp_place_find(const struct lp_result *, const char *where, const char *root,
		   struct lp_source_place *);

/* Finds the folder that paths should be relative to: the repository that the environment names
 * (GITHUB_WORKSPACE), or else the current folder. */
void lp_place_root(char out[LP_PLACE_ROOM]);

#endif
