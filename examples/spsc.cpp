// spsc.cpp -- a ring for one producer and one consumer.
//
// L. Lamport, "Proving the Correctness of Multiprocess Programs" (IEEE TSE 1977).  Each index is
// written by one side only, and hands slots over to the other side: filled ones by `back`, empty
// ones by `front`.
//
// For that, release and acquire would do, and most rings are written so.  But then the producer
// may find the ring full and the consumer find it empty at the same time, each looking at an old
// index of the other (bug_spsc_order.cpp): with seq_cst they may not.
#include <atomic>
#include <cstddef>

// For variants that get it wrong.
#ifndef LOOK
#define LOOK std::memory_order_seq_cst
#endif
#ifndef FILLED
#define FILLED std::memory_order_seq_cst
#endif
#ifndef EMPTIED
#define EMPTIED std::memory_order_seq_cst
#endif

template <typename T, std::size_t Size> class Ring {
public:
	bool put(T value)
	{
		const std::size_t at = back.load(std::memory_order_relaxed);
		if (at - front.load(LOOK) == Size)
			return false;
		slot[at % Size] = value;
		back.store(at + 1, FILLED);
		return true;
	}

	bool take(T &value)
	{
		const std::size_t at = front.load(std::memory_order_relaxed);
		if (at == back.load(LOOK))
			return false;
		value = slot[at % Size];
		front.store(at + 1, EMPTIED);
		return true;
	}

private:
	std::atomic<std::size_t> front{0}, back{0};
	T slot[Size]{};
};

#include <linchpin.hpp>

static Ring<long, 2> ring;

LP_SPEC("queue:bounded=2")
LP_ROLE("enqueue")
LP_ROLE("dequeue")
LP_CALL(enqueue, ring, &Ring<long, 2>::put)
LP_CALL(dequeue, ring, &Ring<long, 2>::take)
