/* call_sites.h -- the kinds of calls. */
#ifndef LP_FRONTEND_IR_ACCESS_CALL_SITES_H
#define LP_FRONTEND_IR_ACCESS_CALL_SITES_H

#include "frontend/ir/ir.h"

/* Can a thread wait in that call, or call back?  False for intrinsics, and for hooks that only
 * record something. */
bool lp_ir_is_site(lp_ir_value x);

/* A call of setjmp(), by any of its names. */
bool lp_ir_returns_twice(lp_ir_value x);

/* LP_SITE_CALL, _MODEL or _LIBRARY, for a call that is not of a hook. */
enum lp_site_kind lp_ir_call_kind(lp_ir_value call);

/* Inserts a hook before a call of an unknown function, or before assembly that is not understood, which
 * reports it.  The builder is before the call. */
void lp_ir_hook_unknown(struct lp_ir *, lp_ir_value call);

/* If the address of such a function is taken, it is replaced by the address of a wrapper that calls the
 * hook and then the function.  To be done before hooks are inserted. */
void lp_ir_wrap_unknown(struct lp_ir *);

/* Ends the function with a call of another one with the same arguments, at the builder's position. */
void lp_ir_pass_on(struct lp_ir *, lp_ir_value from, lp_ir_value to);

/* May the assembler read other files for it: .incbin, .include, or a macro that makes such words? */
bool lp_ir_assembly_reads(const char *text);

/* "inline assembly ('lock; addl $0, (%rsp)')", cut off where it is too long; "" if it does nothing. */
void lp_ir_describe_assembly(const char *text, char *out, size_t size);

/* The hook itself: LP_SITE_LIBRARY with a function's name, or LP_SITE_ASSEMBLY and what it is. */
void lp_ir_not_understood(struct lp_ir *, lp_ir_value instruction, enum lp_site_kind, const char *name);

#endif
