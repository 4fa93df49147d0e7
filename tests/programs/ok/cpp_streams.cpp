/* Streams: the standard ones are used by two threads at once, string streams by one each.  Nothing of them is left
 * behind when an execution is gone back on.
 * options: -- -std=c++17
 * expect sc,rc11: verified
 */
#include <atomic>
#include <cassert>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

static std::atomic<int> turn;

static void work(int me)
{
	std::ostringstream out;

	out << "thread " << me << ' ' << std::hex << 255 << std::setw(4) << std::setfill('.') << std::dec << 7 << ' ';
	const int before = turn.fetch_add(1); /* both orders */
	out << 2.5 << ' ' << true << ' ' << static_cast<long>(before - before) << " and some more text than fits";
	assert(out.str() == "thread " + std::to_string(me) + " ff...7 2.5 1 0 and some more text than fits");
	std::cout << "thread " << me << std::string(" is done") << std::endl;
	std::cerr << before << 1.5 << 'c' << std::this_thread::get_id() << "\n";
}

static void parse()
{
	std::istringstream in("12 word 1.5\nthe line\nx");
	std::string word, line;
	int number = 0, wrong = 3;
	double real = 0;

	in >> number >> word >> real >> std::ws;
	assert(number == 12 && word == "word" && real == 1.5);
	assert(std::getline(in, line) && line == "the line");
	assert(!(in >> wrong) && wrong == 0 && in.fail());
	in.clear();
	assert(in.get() == 'x' && in.peek() == EOF && in.eof());
	std::stringstream both;
	both << 1 << ' ' << 2l << ' ' << 3u;
	for (int i = 1; i <= 3; i++)
		assert(both >> number && number == i);
	try {
		both.exceptions(std::ios::failbit | std::ios::badbit);
		both >> number;
		assert(false);
	} catch (const std::ios_base::failure &e) {
		assert(*e.what());
	}
}

int main()
{
	std::thread a(work, 1), b(work, 2);

	a.join();
	b.join();
	parse();
	return 0;
}
