/* marks.h -- code that linchpin does not understand, and whether it was executed.
 *
 * Before such code (a call of a function that is not modelled, inline assembly, an
 * instruction that no model covers) the assembly gets one more instruction, which sets a
 * byte and leaves registers, flags and stack alone:
 *
 *             movb    $1, .Llp_mark3(%rip)
 *             mfence
 *
 * The byte is the first of a record in a section of its own, which says what was marked.  So
 * the records travel with the code: into what `linchpin cc` makes, and into the program.
 * When that is loaded, they become memory that forked processes share and that executions do
 * not restore.
 *
 * x86-64 only.  Elsewhere nothing is marked, and what is mentioned counts as executed.
 */
#ifndef LP_LOAD_MARKS_H
#define LP_LOAD_MARKS_H

#include <stdint.h>
#include <stdio.h>

#include "base/vec.h"

#define LP_MARKS_SECTION "lp_marks"

enum lp_mark_kind {
	LP_MARK_NONE, /* what lies between the records of two objects */
	LP_MARK_CALL, /* refers to a function or variable of that name */
	LP_MARK_CODE, /* an instruction, in words */
};

enum { LP_MARK_SIZE = 256, LP_MARKS_ALIGN = 4096 };

struct lp_mark {
	uint8_t executed, kind;
	char place[62]; /* "queue.c:31" */
	char what[192]; /* cut off where it is too long */
};
_Static_assert(sizeof(struct lp_mark) == LP_MARK_SIZE, "as the assembler lays it out");

struct lp_marks {
	LP_VEC(struct lp_mark);
};

/* Writes the instruction that sets the mark with that number. */
void lp_mark_set(FILE *assembly, uint32_t number);
/* Writes the section, for the end of the assembly. */
void lp_marks_put(FILE *assembly, const struct lp_marks *);

#endif
