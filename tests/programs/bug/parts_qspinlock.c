/* The queued spin lock of Linux: whether it is held, whether somebody is next, and the tail of a queue of
 * the others, in one word that is accessed by bytes, halves and as a whole.
 * Here who gives it back clears two bytes instead of one, and with that the mark of who is next.
 * expect sc,tso,ra,rc11: violation race|liveness|assertion
 */
#define BROKEN
#include "../ok/parts_qspinlock.c"
