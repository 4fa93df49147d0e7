/* kernel.h -- objects whose sequential runs are a context-free language.
 *
 * A grammar says which words of labels are runs (docs/counting.md):
 *
 *     Free -> | <lock> Held;
 *     Held -> | <unlock> Free;
 *
 * A_k of a history is correct iff its calls can be arranged in a word of the language: each
 * call is put at one of its places, and places never decrease along the word.  Calls that have
 * not returned may be left out, or have any result.  Whether there is such a word depends on
 * the counters alone (counts.h).  The question is about the Parikh image of a context-free
 * language, and therefore a question of existential Presburger arithmetic (section 8 of the
 * paper by Bouajjani, Emmi, Enea and Hamza, POPL 2015).  We decide it exactly for the given
 * counters, unless it is too large.
 *
 * Calls of methods that do not occur in the grammar are ignored.
 */
#ifndef LP_CHECK_COUNTING_LANGUAGES_KERNEL_H
#define LP_CHECK_COUNTING_LANGUAGES_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "check/history/history_check.h"

struct lp_counts;
struct lp_error;
struct lp_kernel;
struct lp_kind;

/* Returns NULL on error; the message begins with "name:line:column: ". */
struct lp_kernel *lp_kernel_parse(const char *name, const char *text, size_t length,
				  const struct lp_kind *kind, struct lp_error *error);
void lp_kernel_close(struct lp_kernel *g);

/* Does some label of the grammar contain a value: an argument, or a value that its method returns (lp_label_value())? */
bool lp_kernel_names_values(const struct lp_kernel *g);

/* Can the calls that `c` has counted be arranged in a word, as above?  LP_CORRECT: yes.
 * LP_WRONG: no.  LP_UNDECIDED: the question is too large.  LP_KERNEL_BOTH searches for a word
 * first, and solves integer programs if the search gives no answer.  LP_KERNEL_SEARCH and
 * LP_KERNEL_PROGRAM use only one of these two methods. */
enum lp_kernel_way { LP_KERNEL_BOTH, LP_KERNEL_SEARCH, LP_KERNEL_PROGRAM };
enum lp_finding lp_kernel_decide(const struct lp_kernel *g, const struct lp_counts *c,
				 enum lp_kernel_way way);

#endif
