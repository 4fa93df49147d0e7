/* tree.h -- trees of work for simulate.c: recorded ones, and larger ones made of their parts.
 *
 * A tree is a sequence of graphs in the order of a depth-first walk, each with the number of choices that were made before it
 * (record.c).  Work is an interval of it.  A worker that is at `from` gives away the end of its interval: from the first graph
 * after `from` on whose number is the smallest.
 *
 * A recorded tree of n graphs is enlarged by putting, in the place of each graph, a subtree of the same recording, drawn at
 * random.  So the shape is that of real explorations on two levels, and 10^9 graphs need no more memory than 10^6.
 */
#ifndef BENCH_STEAL_TREE_H
#define BENCH_STEAL_TREE_H

#include <stdbool.h>
#include <stdint.h>

struct tree;

bool tree_write(const char *file, const uint16_t *depth, uint64_t count);

/* NULL, after a message, if that cannot be read. */
struct tree *tree_read(const char *file);
/* From numbers; these are copied. */
struct tree *tree_make(const uint16_t *depth, uint64_t count);
/* The same, enlarged to about so many graphs. */
struct tree *tree_enlarge(const struct tree *, double graphs, uint64_t seed);
void tree_close(struct tree *);

uint64_t tree_size(const struct tree *);
/* The first graph of what is given away of (from, end); `end` if there is nothing. */
uint64_t tree_split(const struct tree *, uint64_t from, uint64_t end);

#endif
