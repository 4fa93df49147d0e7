/* step_table.h -- prints an execution as a table, in the order of its steps. */
#ifndef LP_REPORT_TEXT_STEP_TABLE_H
#define LP_REPORT_TEXT_STEP_TABLE_H

#include <stdint.h>

struct lp_result;
struct lp_terminal;

/* Prints the steps of the execution as a table of at most `room` lines; of a very long execution only the
 * last steps.  If the steps do not fit, the least informative ones are left out (decisive.h), but never the
 * last one.  `room` is 0 or at
 * least LP_STEPS_LEAST.  0 means that there is no limit on lines; very long executions are still shortened,
 * unless the terminal is verbose.  With LP_STEPS_SOME lines or more, the table is readable. */
enum { LP_STEPS_LEAST = 5, LP_STEPS_SOME = 9 };
void lp_terminal_steps(const struct lp_terminal *, const struct lp_result *, unsigned room);

/* Returns how many lines of the screen the output of `put` would take; the last argument is passed on
 * to `put`. */
unsigned lp_terminal_lines(const struct lp_terminal *,
			   void (*put)(const struct lp_terminal *, const void *), const void *);

/* Writes what a step of the violation does: "store tail = 1 (relaxed)". */
enum { LP_STEP_ROOM = 512 };
void lp_step_words(char out[LP_STEP_ROOM], const struct lp_result *, uint32_t step);

/* Like lp_step_words(), for texts without a table of steps: the step from which `step` reads is named
 * by its place in the source instead of its number. */
void lp_step_words_alone(char out[LP_STEP_ROOM], const struct lp_result *, uint32_t step);

/* Prints further facts about the locations that are accessed by step `first` and those after it. */
void lp_terminal_locations(const struct lp_terminal *, const struct lp_result *, uint32_t first);

/* Prints the name of a thread in its colour. */
void lp_terminal_thread(const struct lp_terminal *, uint32_t thread);

/* Turns a colour on, or with LP_NORMAL all colours off, by ANSI codes.  Does nothing if the terminal
 * shows no colours. */
#define LP_BOLD "1"
#define LP_DIM "2"
#define LP_RED "1;31"
#define LP_GREEN "1;32"
#define LP_YELLOW "1;33"
#define LP_NORMAL "0"
void lp_terminal_colour(const struct lp_terminal *, const char *code);

/* Writes text that comes from the user's program.  Control characters in it are made harmless, since
 * they must not reach the screen. */
void lp_terminal_text(const struct lp_terminal *, const char *text);

/* Writes the text like lp_terminal_text(), and ends the line.  On a screen, long text is broken into
 * several lines.  All lines but the first are indented by `indent` columns; on the first one, `used`
 * columns are already taken. */
#define LP_GLUE "\x1f" /* a blank at which the line does not end */
void lp_terminal_sentence(const struct lp_terminal *, const char *text, unsigned used, unsigned indent);

#endif
