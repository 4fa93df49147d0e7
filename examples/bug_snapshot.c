/* bug_snapshot.c -- the snapshot that reads its components once: what it returns was never there
 * at one moment. */
#define COLLECTS 1
#include "snapshot.c"
