/* aba_snapshot.c -- the snapshot without versions: between two equal collects a component may
 * have changed, and changed back. */
#define VERSION 0
#include "snapshot.c"
