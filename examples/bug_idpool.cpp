// bug_idpool.cpp -- the pool, where the word is tested, and then set: two callers get the same number.
#define LOOK_FIRST
#include "idpool.cpp"
