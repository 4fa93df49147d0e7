/* bug_treiber_free.c -- Treiber's stack that frees what it pops, although another pop may
 * hold the same node and is about to read its `next`. */
#define DISPOSE(node) free(node)
#include "treiber.c"
