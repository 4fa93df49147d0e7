// bug_spsc.cpp -- the ring, where an emptied slot is given back without release: once around the
// ring the producer writes it while, for all it knows, it is still being read.
#define EMPTIED std::memory_order_relaxed
#include "spsc.cpp"
