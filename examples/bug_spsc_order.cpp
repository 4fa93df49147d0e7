// bug_spsc_order.cpp -- the ring with release and acquire only.  First in, first out, and no
// race; but no single order of the calls explains that it was full and empty at once.
#define LOOK std::memory_order_acquire
#define FILLED std::memory_order_release
#define EMPTIED std::memory_order_release
#include "spsc.cpp"
