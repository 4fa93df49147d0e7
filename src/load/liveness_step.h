/* liveness_step.h -- inside the liveness analysis: one instruction after another.
 *
 *     frame.c   goes through the blocks until the states are final, and then once more
 *     step.c    what instructions have in common
 *     leave.c   calls and returns
 *
 * A step changes the state, and describes the instruction's effect.
 */
#ifndef LP_LOAD_LIVENESS_STEP_H
#define LP_LOAD_LIVENESS_STEP_H

#include "load/liveness_code.h"
#include "load/liveness_state.h"

/* One step: the function, the state to change, and the instruction's effect to
 * describe, NULL until the states are final. */
struct x_step {
	struct x_code *code;
	struct x_effect *effect;
	struct state *state;
};

/* An address of the frame goes where it cannot be followed; the function is not understood. */
void x_escape(struct x_step *);
void x_bad(struct x_step *);

/* What the instruction needs and gives; of the frame the bytes [from, to). */
void x_use(struct x_step *, unsigned regs);
void x_read_frame(struct x_step *, int32_t from, int32_t to);
void x_touch_frame(struct x_step *, int32_t from, int32_t to);
void x_write_frame(struct x_step *, int32_t from, int32_t to);
void x_define(struct x_step *, int reg, unsigned size, struct value);
/* Without use if what it defines is dead; rsp never is. */
void x_set_faint(struct x_step *, const struct x_operand *to);

/* Does the operand address the frame at a known offset?  Notes the registers
 * used, and the escape if it addresses the frame somehow else. */
bool x_is_frame(struct x_step *, const struct x_operand *, int32_t *at);

/* Values from and to `size` bytes of the frame. */
struct value x_load(struct x_step *, int32_t at, unsigned size);
void x_store(struct x_step *, int32_t at, unsigned size, struct value);

/* What the operand holds; *frame is false if that is in memory besides the frame. */
struct value x_source(struct x_step *, const struct x_operand *, bool *frame);

/* Copies into `to`.  Without effect if the copy is dead, provided that no memory
 * besides the frame is touched: that may fault. */
void x_copy(struct x_step *, const struct x_operand *to, struct value, bool faint);

/* Any register operand of it is computed with, not just copied. */
void x_compute_with(struct x_step *, const struct x_operand *);

/* liveness_leave.c: a call, the instruction with that index; leaving the function. */
void x_call(struct x_step *, const struct x_insn *, uint32_t index);
void x_leave_function(struct x_step *);
void x_tail_call(struct x_step *, const struct x_insn *, const struct x_target *);

#endif
