/* step_table.h -- an execution as a table, in the order in which it happened. */
#ifndef LP_REPORT_TEXT_STEP_TABLE_H
#define LP_REPORT_TEXT_STEP_TABLE_H

#include <stdint.h>

struct lp_result;
struct lp_terminal;

/* In at most `room` lines, but at least LP_STEPS_LEAST: the last steps, and what else fits.
 * 0: as many as it takes, within reason.  The table is readable with room for LP_STEPS_SOME. */
enum { LP_STEPS_LEAST = 5, LP_STEPS_SOME = 9 };
void lp_terminal_steps(const struct lp_terminal *, const struct lp_result *, unsigned room);

/* How many lines of the screen it would take. */
unsigned lp_terminal_lines(const struct lp_terminal *,
			   void (*put)(const struct lp_terminal *, const void *), const void *);

/* What a step of the violation does: "store tail = 1 (relaxed)". */
enum { LP_STEP_ROOM = 512 };
void lp_step_words(char out[LP_STEP_ROOM], const struct lp_result *, uint32_t step);

/* The same where no table of steps is beside it: a step that it reads from has its place. */
void lp_step_words_alone(char out[LP_STEP_ROOM], const struct lp_result *, uint32_t step);

/* What is known of the locations of steps, from the given one on, besides their names. */
void lp_terminal_locations(const struct lp_terminal *, const struct lp_result *, uint32_t first);

/* The name of a thread, in its colour. */
void lp_terminal_thread(const struct lp_terminal *, uint32_t thread);

/* Turns a colour on, or all of them off: ANSI codes, nothing without colours. */
#define LP_BOLD "1"
#define LP_DIM "2"
#define LP_RED "1;31"
#define LP_GREEN "1;32"
#define LP_YELLOW "1;33"
#define LP_NORMAL "0"
void lp_terminal_colour(const struct lp_terminal *, const char *code);

/* Writes text that comes from the user's program: a control character in it must
 * not reach the screen. */
void lp_terminal_text(const struct lp_terminal *, const char *text);

/* The same to the end of the line.  On a screen it goes on in the next one if there is no room,
 * after `indent` columns; `used` are taken in the first. */
#define LP_GLUE "\x1f" /* a blank at which the line does not end */
void lp_terminal_sentence(const struct lp_terminal *, const char *text, unsigned used, unsigned indent);

#endif
