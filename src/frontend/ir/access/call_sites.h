/* call_sites.h -- classifies calls, and reports those that are not understood. */
#ifndef LP_FRONTEND_IR_ACCESS_CALL_SITES_H
#define LP_FRONTEND_IR_ACCESS_CALL_SITES_H

#include "frontend/ir/ir.h"

/* Is x a call that needs a site, because a thread may wait in it, or because it may call functions of the program?  The function
 * returns false for inline assembly, for intrinsics, and for hooks that only record something. */
bool lp_ir_is_site(lp_ir_value x);

/* Is x a call of setjmp(), under any of its names? */
bool lp_ir_returns_twice(lp_ir_value x);

/* Returns LP_SITE_CALL, _MODEL or _LIBRARY for a call of a function other than a hook. */
enum lp_site_kind lp_ir_call_kind(lp_ir_value call);

/* Before a call of an unknown function, or of assembly that is not understood, inserts a hook that reports
 * the call.  The builder must be before the call. */
void lp_ir_hook_unknown(struct lp_ir *, lp_ir_value call);

/* If the address of an unknown function is taken, this address is replaced by that of a wrapper, which calls the
 * hook and then the function.  To be called before hooks are inserted. */
void lp_ir_wrap_unknown(struct lp_ir *);

/* At the builder's position, ends function `from` with a call of function `to`, which gets the arguments of `from`, and whose
 * result `from` returns. */
void lp_ir_pass_on(struct lp_ir *, lp_ir_value from, lp_ir_value to);

/* May this assembly text make the assembler read other files, by .incbin, by .include, or by a macro that produces one of
 * these words? */
bool lp_ir_assembly_reads(const char *text);

/* Writes a description of the assembly: "inline assembly ('lock; addl $0, (%rsp)')"; "" if the assembly does nothing.  Long texts
 * are cut. */
void lp_ir_describe_assembly(const char *text, char *out, size_t size);

/* Inserts the hook that reports the instruction.  For LP_SITE_LIBRARY, `name` is the name of the function; for
 * LP_SITE_ASSEMBLY, it is a description. */
void lp_ir_not_understood(struct lp_ir *, lp_ir_value instruction, enum lp_site_kind, const char *name);

#endif
