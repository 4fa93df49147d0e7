/* Memory in C++: operators that the program replaces are called by those that it does not, sizes that cannot be had
 * throw, resources of std::pmr give back what they took.
 * options: -- -std=c++17
 * expect sc,rc11: verified
 */
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <memory_resource>
#include <new>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> live;

void *operator new(std::size_t size)
{
	if (size > 1 << 20)
		throw std::bad_alloc();
	live++;
	return std::malloc(size);
}

void operator delete(void *p) noexcept
{
	live -= p != nullptr;
	std::free(p);
}

static void operators()
{
	const int before = live;
	int *array = new int[3](), *one = new (std::nothrow) int(4);

	assert(live == before + 2 && array[2] == 0 && *one == 4);
	delete[] array;
	delete one;
	assert(live == before && !new (std::nothrow) char[2 << 20]);
	try {
		delete[] new char[2 << 20];
		assert(false);
	} catch (const std::bad_alloc &e) {
		assert(*e.what());
	}
}

struct alignas(64) line {
	char bytes[64];
};

static void aligned()
{
	volatile std::size_t most = std::size_t(1) << 60;
	line *l = new line;

	assert(reinterpret_cast<std::size_t>(l) % 64 == 0);
	delete l;
	try { /* not replaced */
		::operator delete(::operator new(most, std::align_val_t(64)), std::align_val_t(64));
		assert(false);
	} catch (const std::bad_alloc &) {
	}
	assert(!std::malloc(most));
}

static void resources()
{
	std::pmr::synchronized_pool_resource pool;
	auto use = [&pool](int n) {
		char room[64];
		std::pmr::monotonic_buffer_resource buffer(room, sizeof room, &pool);
		std::pmr::vector<std::pmr::string> words(&buffer);
		words.emplace_back("a text that does not fit into the string, nor into the room");
		words.emplace_back(n, 'x');
		assert(words.back().size() == std::size_t(n));
	};
	std::thread t(use, 30);

	use(20);
	t.join();
	std::pmr::memory_resource *const old = std::pmr::set_default_resource(std::pmr::null_memory_resource());
	assert(old == std::pmr::new_delete_resource());
	try {
		std::pmr::vector<int> none(1);
		assert(false);
	} catch (const std::bad_alloc &) {
	}
}

int main()
{
	operators();
	aligned();
	resources();
	assert(!std::set_new_handler([] { std::abort(); }) && std::get_new_handler());
	return 0;
}
