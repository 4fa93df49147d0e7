/* bug_treiber.c -- Treiber's stack that tests `top` and then sets it, instead of comparing
 * and swapping: what others do in between is lost. */
#define TEST_THEN_SET
#include "treiber.c"
