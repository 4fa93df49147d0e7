/* What is destroyed after main(): first the thread_local objects of its thread, then static ones, last one first.
 * A thread that is joined in a destructor has ended before the objects that it uses are destroyed.
 * expect sc,rc11: verified
 */
#include <cassert>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

static int left = 4;
static std::vector<std::string> words; /* destroyed last: its memory is not a leak */

struct ends {
	int nth;
	~ends() { assert(left-- == nth); }
};

struct joins {
	int value = 0;
	std::thread thread;
	~joins()
	{
		thread.join();
		assert(value == 1);
	}
};

static ends first{1};
static joins worker;
static ends second{2};
static thread_local ends local{4};

static ends &inside()
{
	static ends third{3};
	return third;
}

int main()
{
	words.push_back("a text that is too long for the string object itself");
	worker.thread = std::thread([] { worker.value = 1; });
	assert(inside().nth == 3 && local.nth == 4);
	std::exit(0);
}
