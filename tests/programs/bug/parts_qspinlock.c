/* The queued spin lock of Linux: whether it is held, whether a thread is next, and the tail of a queue of
 * the others, in one word that is accessed by bytes, halves and as a whole.
 * Here unlocking clears two bytes instead of one, and with them the mark that a thread is next.
 * expect sc,tso,ra,rc11: violation race|liveness|assertion
 */
#define BROKEN
#include "../ok/parts_qspinlock.c"
