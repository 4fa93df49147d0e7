/* register_acquire.c -- as register_relaxed.c, and a write happens before the reads of its value. */
#define READS_FROM
#include "register_relaxed.c"
