/* pthread_exit() and thrd_exit() destroy the objects of the functions that they leave, from the innermost one outwards, and
 * what std::thread keeps; catch (...) may look on.
 * options: --leaks
 * expect sc,tso,ra,rc11: verified
 */
#include <cassert>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <threads.h>

static std::mutex lock;
static int order, counter;

struct digit {
	int value;

	~digit()
	{
		order = order * 10 + value;
	}
};

static void leave(int depth)
{
	digit d{ depth };

	if (!depth)
		pthread_exit(nullptr);
	try {
		leave(depth - 1);
	} catch (...) {
		order = order * 10 + 9;
		throw;
	}
}

static void *count(void *)
{
	std::lock_guard<std::mutex> hold(lock);

	counter++;
	pthread_exit(&counter);
}

static int exit_as_in_c(void *)
{
	digit d{ 7 };

	thrd_exit(3);
}

int main()
{
	const auto shared = std::make_shared<int>(1);
	std::thread nested([shared] {
		digit d{ 5 };
		leave(2);
	});
	nested.join();
	assert(order == 91925 && shared.use_count() == 1);

	pthread_t threads[2];
	void *result;
	for (pthread_t &t : threads)
		pthread_create(&t, nullptr, count, nullptr);
	for (pthread_t t : threads) {
		pthread_join(t, &result);
		assert(result == &counter);
	}
	assert(counter == 2);

	thrd_t other;
	int value;
	thrd_create(&other, exit_as_in_c, nullptr);
	thrd_join(other, &value);
	assert(value == 3 && order == 919257);
}
