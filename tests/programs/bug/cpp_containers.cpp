/* Trees, lists and strings: what is in their nodes is seen.  An insertion elsewhere in the tree turns nodes that another thread walks over.
 * options: -- -std=c++17
 * expect sc,rc11: verified
 * expect sc,rc11 -- -DWALK: violation race
 * expect sc,rc11 -- -DHASH: violation race
 * expect sc,rc11 -- -DREVERSE: violation race
 * expect sc,rc11 -- -DWIDE: violation race
 */
#include <cassert>
#include <list>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>

static std::set<int> tree{ 10, 20, 30, 40 };
static std::list<int> chain{ 3, 1, 2 };
static std::wstring wide(30, L'w');
static std::unordered_map<std::string, int> table{ { "a", 1 } };

static void work()
{
#ifdef WALK
	tree.insert(50); /* below 40, which takes the place of 30 */
#elif defined REVERSE
	chain.reverse();
#elif defined WIDE
	wide[20] = L'x';
#elif defined HASH
	table.emplace("b", 2);
#endif
}

int main()
{
	std::set<int>::iterator at = tree.find(20);
	std::thread t(work);

#ifdef WALK
	assert(*++at == 30);
#elif defined REVERSE
	assert(chain.size() == 3 && chain.back() >= 2);
#elif defined WIDE
	assert(std::wstring(wide).size() == 30);
#elif defined HASH
	assert(table.count("a") == 1);
#else
	std::map<int, std::string> map;
	for (int i = 0; i < 20; i++)
		map[i * 7 % 20] = std::to_string(i);
	for (int i = 0; i < 20; i += 3)
		map.erase(i);
	int last = -1;
	for (const auto &entry : map) {
		assert(entry.first > last && entry.first % 3);
		last = entry.first;
	}
	assert(map.size() == 13 && map.rbegin()->first == 19);
	chain.sort();
	chain.reverse();
	chain.splice(chain.end(), std::list<int>{ 9 });
	assert((chain == std::list<int>{ 3, 2, 1, 9 }));
	for (int i = 0; i < 50; i++)
		table[std::to_string(i)] = i;
	assert(wide.find(L'x') == wide.npos && wide + L"y" > wide && wide.substr(1).assign(L"z") == L"z");
	assert(table.size() == 51 && table.at("7") == 7);
#endif
	t.join();
	assert(*at >= 20);
	return 0;
}
