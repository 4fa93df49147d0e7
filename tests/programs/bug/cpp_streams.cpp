/* A string stream belongs to one thread at a time, and ends with its scope; what comes from outside is not known.
 * options: -- -std=c++17
 * expect sc,rc11 -- -DSHARED: violation race
 * expect sc,rc11 -- -DENDED: violation race|use after free
 * expect sc,rc11 -- -DINPUT: inconclusive, says "input from std::cin"
 * expect sc,rc11: verified
 */
#include <iostream>
#include <memory>
#include <sstream>
#include <thread>

int main()
{
	auto stream = std::make_unique<std::ostringstream>();
	std::thread t([s = stream.get()] { *s << 1; });

#ifdef SHARED
	*stream << "text";
#endif
#ifdef ENDED
	stream.reset();
#endif
	t.join();
#ifdef INPUT
	int number;
	std::cin >> number;
#endif
	return 0;
}
