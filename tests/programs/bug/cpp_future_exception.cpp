/* An exception that comes out of another thread is not modelled; nor said to be right.
 * options: -- -std=c++17
 * expect rc11: inconclusive, says "std::current_exception() is not modelled"
 */
#include <future>

int main()
{
	std::future<int> value = std::async(std::launch::async, []() -> int { throw 4; });

	try {
		return value.get();
	} catch (int exception) {
		return exception - 4;
	}
}
