/* interrupt.h -- Ctrl-C, asked for politely.
 *
 * Between open and close the first SIGINT or SIGTERM is only noted, so that what
 * was covered can still be printed; a second one does what it did before open.
 */
#ifndef LP_VERIFY_INTERRUPT_H
#define LP_VERIFY_INTERRUPT_H

void lp_interrupt_open(void);
void lp_interrupt_close(void);

/* "interrupted (SIGINT)", or NULL if nothing came since open. */
const char *lp_interrupt_reason(void);

#endif
