/* Transfers between two accounts: std::mutex, std::lock_guard, std::atomic, std::thread.
 *
 * Two threads transfer in opposite directions; both mutexes are taken in the order of the
 * accounts' numbers.  Compiled with -DBUG they are taken in the order of the transfer,
 * and each thread may wait for the other: a deadlock.
 */
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

struct account {
	int number;
	int balance = 10;
	std::mutex lock{};
};

account mine{1}, yours{2};
std::atomic<int> transfers{0};

void transfer(account &from, account &to, int amount)
{
#ifdef BUG
	const bool in_order = true;
#else
	const bool in_order = from.number < to.number;
#endif
	std::lock_guard<std::mutex> first(in_order ? from.lock : to.lock);
	std::lock_guard<std::mutex> second(in_order ? to.lock : from.lock);

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
