/* call_sites.h -- the kinds of calls. */
#ifndef LP_FRONTEND_IR_ACCESS_CALL_SITES_H
#define LP_FRONTEND_IR_ACCESS_CALL_SITES_H

#include "frontend/ir/ir.h"

/* Does the call need a site, because a thread can wait in it, or because it can call back?  It does not
 * if it is an intrinsic, or a hook that only records something. */
bool lp_ir_is_site(lp_ir_value x);

/* Is it a call of setjmp(), under any of its names? */
bool lp_ir_returns_twice(lp_ir_value x);

/* Returns LP_SITE_CALL, _MODEL or _LIBRARY for a call of a function other than a hook. */
enum lp_site_kind lp_ir_call_kind(lp_ir_value call);

/* Before a call of an unknown function, or assembly that is not understood, inserts a hook that reports
 * it.  The builder is before the call. */
void lp_ir_hook_unknown(struct lp_ir *, lp_ir_value call);

/* If the address of such a function is taken, it is replaced by the address of a wrapper that calls the
 * hook and then the function.  To be done before hooks are inserted. */
void lp_ir_wrap_unknown(struct lp_ir *);

/* Ends function `from`, at the builder's position, with a call of function `to` with the same
 * arguments. */
void lp_ir_pass_on(struct lp_ir *, lp_ir_value from, lp_ir_value to);

/* May the text make the assembler read other files, by .incbin, .include, or a macro that makes such
 * words? */
bool lp_ir_assembly_reads(const char *text);

/* Describes assembly: "inline assembly ('lock; addl $0, (%rsp)')".  Long texts are cut; "" if the
 * assembly does nothing. */
void lp_ir_describe_assembly(const char *text, char *out, size_t size);

/* Inserts the hook that reports: for LP_SITE_LIBRARY, `name` is that of a function; for
 * LP_SITE_ASSEMBLY, a description. */
void lp_ir_not_understood(struct lp_ir *, lp_ir_value instruction, enum lp_site_kind, const char *name);

#endif
