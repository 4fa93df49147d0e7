/* register_sc.c -- as register_relaxed.c, and all calls are ordered but two reads. */
#define CONFLICTS
#include "register_relaxed.c"
