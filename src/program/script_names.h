/* script_names.h -- the words of the script language for memory orders, RMWs and comparisons. */
#ifndef LP_PROGRAM_SCRIPT_NAMES_H
#define LP_PROGRAM_SCRIPT_NAMES_H

#include "program/script.h"

static const char *const order_names[] = {
	[LP_RLX] = "rlx", [LP_ACQ] = "acq", [LP_REL] = "rel", [LP_ACQREL] = "acqrel", [LP_SC] = "sc",
};
static const char *const rmw_names[] = {
	[LP_XCHG] = "xchg", [LP_ADD] = "add", [LP_SUB] = "sub",
	[LP_AND] = "and", [LP_OR] = "or", [LP_XOR] = "xor",
};
static const char *const compare_names[] = {
	[LP_CMP_EQ] = "==", [LP_CMP_NE] = "!=", [LP_CMP_LE] = "<=",
	[LP_CMP_GE] = ">=", [LP_CMP_LT] = "<", [LP_CMP_GT] = ">",
};

#endif
