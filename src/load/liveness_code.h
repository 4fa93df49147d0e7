/* liveness_code.h -- inside the liveness analysis: one function's code and frame.
 *
 *     code.c    decodes what can be reached from the function's start: blocks, edges
 *     frame.c   forwards: where rsp, rbp, saved registers and stack addresses are (step.h)
 *     solve.c   backwards: what is live, from the effects that frame.c found
 *
 * Stack addresses are offsets from the CFA, the value of rsp before the call that
 * entered the function.
 */
#ifndef LP_LOAD_LIVENESS_CODE_H
#define LP_LOAD_LIVENESS_CODE_H

#include "base/alloc.h"
#include "load/liveness.h"
#include "load/liveness_calls.h"
#include "load/liveness_image.h"
#include "load/liveness_x86.h"

enum { ARGUMENT_BYTES = 256 }; /* of the stack arguments that are told apart */
enum { MAX_DEPTH = 32768 };    /* of a frame that is analysed byte by byte */

/* What a caller need know of a function. */
struct lp_summary {
	bool returns;
	bool reads_all;      /* unknown stack arguments */
	uint16_t reads_to;   /* otherwise none at or above this offset */
	bool recursive;
};

/* Where a call or a jump goes. */
enum target_kind { TO_UNKNOWN, TO_NAME, TO_FUNCTION, TO_INSIDE };

struct x_target {
	uint8_t kind;
	const char *name;                       /* TO_NAME */
	const struct lp_image_function *callee; /* TO_FUNCTION; and TO_UNKNOWN if it may be it */
	uint64_t at;                            /* TO_INSIDE */
};

/* What an instruction does to registers and frame; offsets are [from, to). */
struct x_effect {
	uint16_t use, def, kill;     /* kill is the part of def that is overwritten fully */
	uint16_t always;             /* used even if faint */
	bool faint;                  /* without use if nothing that it defines is live */
	bool incoming;               /* reads unknown stack arguments of this function */
	bool unknown_arguments;      /* reads [read_from, 0) unless nothing was passed */
	bool not_saves;              /* does not read the saved registers in its range */
	int32_t read_from, read_to;
	int32_t write_from, write_to; /* overwritten fully */
	int32_t touch_from, touch_to; /* perhaps written */
	int32_t site;                /* index, or -1 */
};

/* A call's return, as frame.c finds it. */
struct x_site {
	uint64_t pc;
	uint32_t insn;
	bool known;            /* the cfa and the caller's registers can be found */
	bool rsp_known;
	bool outgoing;
	bool cfa_from_rbp;
	int32_t cfa_offset;
	int32_t rsp;           /* if known */
	uint16_t pinned;       /* registers that hold a fixed offset from the cfa */
	uint8_t kept;
	int32_t saved[LP_SAVED_COUNT];
	int32_t also[4];       /* further copies of them; 0: none */
};

struct x_block {
	uint32_t first, count; /* instructions */
	int32_t next[2];       /* blocks, or -1 */
	bool on_loop;
};

struct x_code {
	const struct lp_image *image;
	struct x_decoder *decoder;
	const struct lp_image_function *function;
	/* What is known of another function of the object. */
	struct lp_summary (*summary)(void *closure, const struct lp_image_function *);
	void *closure;

	struct { LP_VEC(struct x_insn); } insns;
	struct { LP_VEC(struct x_block); } blocks;
	struct { LP_VEC(struct x_effect); } effects;  /* one an instruction */
	struct { LP_VEC(struct x_site); } sites;
	struct { LP_VEC(const struct lp_image_function *); } callees;
	bool returns;
	bool handlers;  /* a call may continue at a landing pad */
	bool escapes;   /* the whole frame may be reached through a pointer */
	bool bad;       /* not understood */
	int32_t depth;  /* no offset below -depth is told apart */
};

/* Each returns false if the function is not understood. */
bool x_code_build(struct x_code *);
bool x_code_frame(struct x_code *);
void x_code_drop(struct x_code *);

struct x_target x_code_target(const struct x_code *, const struct x_insn *);
struct lp_call_facts x_code_facts(const struct x_code *, const struct x_target *);

/* Computes the sites' public form into `out` (words in `arena`), as many as there
 * are sites; `pc` UINT32_MAX for one that is not known.  And the summary. */
void x_code_solve(struct x_code *, struct lp_arena *arena, struct lp_site *out,
		  struct lp_summary *);

#endif
