/* interrupt.h -- Ctrl-C ends the exploration, not the process.
 *
 * Between open and close the first SIGINT or SIGTERM is only recorded, so that what was
 * explored can still be printed; a second one has its original effect.
 */
#ifndef LP_VERIFY_INTERRUPT_H
#define LP_VERIFY_INTERRUPT_H

void lp_interrupt_open(void);
void lp_interrupt_close(void);

/* Returns a text such as "interrupted (SIGINT)"; NULL if no signal has come since
 * lp_interrupt_open(). */
const char *lp_interrupt_reason(void);

#endif
