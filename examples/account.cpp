/* Transfers between two accounts: std::mutex, std::scoped_lock, std::atomic, std::thread.
 *
 * Two threads transfer in opposite directions.  std::scoped_lock takes both mutexes without
 * deadlock, in whichever order they are named; the number of transfers is counted beside.
 * Compiled with -DBUG the mutexes are taken one after the other: a deadlock.
 */
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

struct account {
	std::mutex lock;
	int balance = 10;
};

account mine, yours;
std::atomic<int> transfers{0};

void transfer(account &from, account &to, int amount)
{
#ifdef BUG
	std::lock_guard<std::mutex> first(from.lock);
	std::lock_guard<std::mutex> second(to.lock);
#else
	std::scoped_lock both(from.lock, to.lock);
#endif
	from.balance -= amount;
	to.balance += amount;
	transfers.fetch_add(1, std::memory_order_relaxed);
}

} // namespace

int main()
{
	std::thread there([] { transfer(mine, yours, 3); });
	std::thread back([] { transfer(yours, mine, 1); });

	there.join();
	back.join();
	assert(transfers == 2);
	assert(mine.balance == 8 && yours.balance == 12);
}
