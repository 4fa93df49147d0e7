/* call_sites.h -- which calls there are. */
#ifndef LP_FRONTEND_IR_ACCESS_CALL_SITES_H
#define LP_FRONTEND_IR_ACCESS_CALL_SITES_H

#include "frontend/ir/ir.h"

/* Can a thread wait in that call, or call back?  False for intrinsics, and for hooks that only
 * take note of something. */
bool lp_ir_is_site(lp_ir_value x);

/* A call of setjmp(), by any of its names. */
bool lp_ir_returns_twice(lp_ir_value x);

/* LP_SITE_CALL, _MODEL or _LIBRARY, for a call that is not of a hook. */
enum lp_site_kind lp_ir_call_kind(lp_ir_value call);

/* Before a call of a function that nothing is known of, or assembly that is not understood, goes
 * a hook that says so.  The builder is before it. */
void lp_ir_hook_unknown(struct lp_ir *, lp_ir_value call);

/* Where the address of such a function is taken, it becomes the address of a function of ours that
 * calls it, for the hook to be there.  To be done before hooks are inserted. */
void lp_ir_wrap_unknown(struct lp_ir *);

/* The function ends by doing what another one does with its arguments.  The builder is where. */
void lp_ir_pass_on(struct lp_ir *, lp_ir_value from, lp_ir_value to);

/* May the assembler read other files for it: .incbin, .include, or a macro that makes such words? */
bool lp_ir_assembly_reads(const char *text);

/* "inline assembly ('lock; addl $0, (%rsp)')", cut off where it is too long; "" if it does nothing. */
void lp_ir_describe_assembly(const char *text, char *out, size_t size);

/* The hook itself: LP_SITE_LIBRARY with a function's name, or LP_SITE_ASSEMBLY and what it is. */
void lp_ir_not_understood(struct lp_ir *, lp_ir_value instruction, enum lp_site_kind, const char *name);

#endif
