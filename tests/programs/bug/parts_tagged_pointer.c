/* A stack whose top is a pointer and a tag: changed by compare-exchanges of 16 bytes, read by two loads
 * of 8, of which the exchange finds out if they did not belong together.
 * Here the halves are exchanged one by one.
 * expect sc,tso,ra,rc11: violation assertion|race
 */
#define BROKEN
#include "../ok/parts_tagged_pointer.c"
