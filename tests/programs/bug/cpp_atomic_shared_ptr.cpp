/* libstdc++ 12 reads the pointer of an atomic<shared_ptr> under a lock that it then opens with a
 * relaxed operation.  docs/findings/libstdcxx.md
 * options: -- -std=c++20
 * expect sc,tso: verified
 * expect rc11: violation race
 */
#include <atomic>
#include <memory>
#include <thread>

static std::atomic<std::shared_ptr<int>> shared;

int main()
{
	shared.store(std::make_shared<int>(1));
	std::thread stores([] { shared.store(std::make_shared<int>(2)); });

	auto mine = shared.load();
	stores.join();
	return *mine != 1 && *mine != 2;
}
