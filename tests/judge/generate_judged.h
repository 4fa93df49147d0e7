/* generate_judged.h -- the random programs that the judge judges. */
#ifndef LP_JUDGE_GENERATE_H
#define LP_JUDGE_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

/* A program of that family, or, if it is < 0, of the one that the seed says.  The same seed gives the same
 * text; the caller frees it. */
char *generate_judged(uint64_t seed, int family);

unsigned family_count(void);
const char *family_name(unsigned family);
/* Which family the program of that seed is of, if none is asked for. */
unsigned family_of(uint64_t seed);

/* Whole programs: threads that help each other, by compare-and-swaps or by stores; that read redundantly; that
 * attempt something under locks; that are stopped; that read several locations in a loop; that swap what
 * they have loaded before, where that is out of date, or where values come back, perhaps as on top of a stack; like threads that do so; and what tests/oracle generates. */
char *generate_helpers(uint64_t seed);
char *generate_skippers(uint64_t seed);
char *generate_rereads(uint64_t seed);
char *generate_attempts(uint64_t seed);
char *generate_stopped(uint64_t seed);
char *generate_vectors(uint64_t seed);
char *generate_awaits(uint64_t seed);
char *generate_first_looks(uint64_t seed);
char *generate_guesses(uint64_t seed);
char *generate_outdated(uint64_t seed);
char *generate_back(uint64_t seed);
char *generate_stacked(uint64_t seed);
char *generate_followers(uint64_t seed);
char *generate_litmus(uint64_t seed);
char *generate_litmus_loops(uint64_t seed);
char *generate_twins(uint64_t seed);
char *generate_own_twins(uint64_t seed);

#endif
