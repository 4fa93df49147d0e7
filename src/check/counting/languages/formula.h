/* formula.h -- operation counting logic: formulae on the counters of A_k.
 *
 * This is the language of section 6.1 of the paper by Bouajjani, Emmi, Enea and Hamza (POPL 2015; ak.h), in a textual
 * form that docs/counting.md describes:
 *
 *     let total(x, i, j) = sum a in i..j: sum b in a..j: #(x, a, b);
 *     violation rv = exists y: pop(y) and not exists x: push(x) and SameVal(x, y);
 *     require one = all i in 0..k: #(<lock>, i, i) <= 1;
 *
 * A file is a list of such statements.  Variables of `exists` and `forall` range over the labels that occur (label.h).
 * The constant k is the number of places minus one, so the same text serves for every k.
 *
 * Ownership: once parsed, formulae refer to nothing else and do not change; threads may share them.
 */
#ifndef LP_CHECK_COUNTING_LANGUAGES_FORMULA_H
#define LP_CHECK_COUNTING_LANGUAGES_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lp_counts;
struct lp_error;
struct lp_formulae;
struct lp_history;
struct lp_kind;

/* Returns NULL on error; the message begins with "name:line:column: ".  Method names and
 * label constants are those of `kind`. */
struct lp_formulae *lp_formulae_parse(const char *name, const char *text, size_t length,
				      const struct lp_kind *kind, struct lp_error *error);
void lp_formulae_close(struct lp_formulae *f);

uint32_t lp_formulae_count(const struct lp_formulae *f); /* the number of violations and requirements */
const char *lp_formulae_name(const struct lp_formulae *f, uint32_t i);

/* Returns the argument `copies` for lp_counts_open().  Of the values that were inserted and removed by the same methods at the
 * same places, it is enough to keep that many: the formulae cannot tell whether there are more.  0: all values must be kept,
 * because the formulae contain constant labels. */
uint32_t lp_formulae_copies(const struct lp_formulae *f);

/* Returns the index of the first broken statement, that is, of a violation that holds or a requirement that does not hold;
 * UINT32_MAX if there is none.  `witness` gets the labels for which the outermost `exists` holds, as indices into the labels
 * of `c`; at most `room`.  `*count` becomes their number. */
uint32_t lp_formulae_broken(const struct lp_formulae *f, const struct lp_counts *c,
			    uint32_t *witness, uint32_t room, uint32_t *count);

/* Writes the first broken statement and its witness as text: "fv: push(1), push(2), ...".  Returns false if no statement is
 * broken. */
bool lp_formulae_tell(const struct lp_formulae *f, const struct lp_counts *c, char *text, size_t size);

/* Is this statement broken? */
bool lp_formulae_is_broken(const struct lp_formulae *f, uint32_t statement,
			   const struct lp_counts *c);

#endif
