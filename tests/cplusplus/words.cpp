// words.cpp -- what linchpin.hpp makes of classes and callables, on its own, without linchpin.
//
// States: random objects go to words and back.  Steps: every result of every call, in random states, is accepted exactly
// if a search of the definition finds it, and with as many successors.
#include <deque>
#include <list>
#include <map>
#include <random>
#include <set>
#include <stdexcept>

#include <linchpin.hpp>

#define EXPECT(claim)                                                                              \
	do {                                                                                       \
		if (!(claim)) {                                                                    \
			std::fprintf(stderr, "%s:%d: not so: %s (seed %u)\n", __FILE__, __LINE__, #claim, seed); \
			std::exit(1);                                                              \
		}                                                                                  \
	} while (0)

static unsigned seed = 41;
static std::mt19937 random_number(seed);
static int any(int count) { return static_cast<int>(random_number() % static_cast<unsigned>(count)); }

// ---- linchpin's side of a state ----

static void grow_words(lp_state *s, uint32_t room)
{
	s->room = room * 2;
	s->at = static_cast<int64_t *>(std::realloc(s->at, sizeof *s->at * s->room));
}

struct Words : lp_state {
	Words() : lp_state{ nullptr, 0, 0, grow_words } {}
	Words(const Words &from) : Words() { append(from); }
	Words &operator=(const Words &) = delete;
	~Words() { std::free(at); }
	void append(const Words &from)
	{
		for (uint32_t i = 0; i < from.count; i++)
			lp_state_push(this, from.at[i]);
	}
	std::vector<int64_t> all() const { return std::vector<int64_t>(at, at + count); }
};

// ---- members of all kinds ----

enum class Colour : unsigned char { red, green };

struct Inner {
	int a = 0;
	std::optional<long> b;
	auto fields() { return std::tie(a, b); }
	bool operator==(const Inner &o) const { return a == o.a && b == o.b; }
};

struct Everything {
	bool flag = false;
	Colour colour = Colour::red;
	std::vector<Inner> inner;
	std::map<int, std::set<short>> map;
	std::deque<std::pair<int, char>> pairs;
	std::array<unsigned long, 3> array{};
	std::list<std::vector<bool>> bits;
	std::queue<int> queue;
	std::stack<long> stack;
	std::string text;
	std::multiset<int> bag;
	std::tuple<int, std::optional<std::string>> tuple;
	auto fields()
	{
		return std::tie(flag, colour, inner, map, pairs, array, bits, queue, stack, text, bag, tuple);
	}
	bool operator==(Everything &o) { return fields() == o.fields(); }
};

static std::string any_text()
{
	std::string text;
	for (int i = any(4); i; i--)
		text += static_cast<char>('a' + any(3));
	return text;
}

static Everything any_thing()
{
	Everything e;

	e.flag = any(2);
	e.colour = any(2) ? Colour::green : Colour::red;
	for (int i = any(3); i; i--)
		e.inner.push_back({ any(9) - 4, any(2) ? std::optional<long>(any(3)) : std::nullopt });
	for (int i = any(4); i; i--)
		e.map[any(3)].insert(static_cast<short>(any(3)));
	for (int i = any(3); i; i--)
		e.pairs.push_back({ any(3), static_cast<char>(any(3)) });
	for (auto &each : e.array)
		each = random_number();
	for (int i = any(3); i; i--)
		e.bits.push_back(std::vector<bool>(static_cast<std::size_t>(any(3)), any(2)));
	for (int i = any(3); i; i--)
		e.queue.push(any(3)), e.stack.push(any(3)), e.bag.insert(any(3));
	e.text = any_text();
	e.tuple = { any(3), any(2) ? std::optional<std::string>(any_text()) : std::nullopt };
	return e;
}

static void check_words()
{
	for (int i = 0; i < 20000; i++) {
		Everything one = any_thing(), other = any_thing(), again = other;
		Words a, b;
		lp::put(&a, one);
		lp::put(&b, other);
		EXPECT((one == other) == (a.all() == b.all()));
		const std::int64_t *at = a.at;
		lp::get(at, again); // over what was there
		EXPECT(at == a.at + a.count && again == one);
	}
}

// ---- steps ----

struct Bag {
	void put(int v)
	{
		if (items.size() == 3)
			throw std::length_error("full");
		items.insert(v);
	}
	std::optional<int> take(lp::chooser &may)
	{
		if (items.empty() || (items.size() == 1 && may.either())) // the last one may be missed
			return std::nullopt;
		const auto at = std::next(items.begin(), may.choose(static_cast<unsigned>(items.size())));
		const int v = *at;
		items.erase(at);
		return v;
	}
	lp::may_wait<int> least()
	{
		if (items.empty())
			return lp::waits;
		return *items.begin();
	}
	bool has(int v) const { return items.count(v) != 0; }
	std::vector<int> all() const { return { items.begin(), items.end() }; }

	auto fields() { return std::tie(items); }
	using throws = lp::throws<std::length_error>;
	static constexpr lp::role roles[] = { { "put", LP_INSERTS }, { "take", LP_REMOVES } };
	std::multiset<int> items;
};
LP_SPEC_CLASS(Bag, put, take, least, has, all)
enum { PUT, TAKE, LEAST, HAS, ALL };

using Items = std::multiset<int>;
// The states that a call with that result leads to; by the definition.  `waits`: if there are none, it is since the call waits.
static std::vector<Items> successors(int method, const Items &from, int arg, int64_t result, bool &waits)
{
	std::vector<Items> all;
	Items next = from;

	waits = false;
	switch (method) {
	case PUT:
		next.insert(arg);
		if (result == (from.size() == 3 ? lp::thrown<std::length_error>() : LP_VOID))
			all.push_back(from.size() == 3 ? from : next);
		break;
	case TAKE:
		if (from.size() <= 1 && result == LP_EMPTY)
			all.push_back(from);
		if (from.count(static_cast<int>(result)) && result >= 0) {
			for (std::size_t same = from.count(static_cast<int>(result)); same; same--) {
				next = from;
				next.erase(next.find(static_cast<int>(result)));
				all.push_back(next);
			}
		}
		break;
	case LEAST:
		waits = from.empty();
		if (!waits && result == *from.begin())
			all.push_back(from);
		break;
	case HAS:
		if (result == (from.count(arg) != 0))
			all.push_back(from);
		break;
	}
	return all;
}

static void check_step(int method, const Items &from, int arg, int64_t result)
{
	const lp_method &m = lp_class_methods[method];
	const int64_t arguments[] = { arg, 0, 0 };
	lp_spec_call call{};
	bool waits;
	const std::vector<Items> expected = successors(method, from, arg, result, waits);
	std::multiset<std::vector<int64_t>> wanted, got;
	Bag bag;

	bag.items = from;
	Words words;
	lp::put(&words, bag);
	for (const Items &items : expected) {
		Bag next;
		next.items = items;
		Words w;
		lp::put(&w, next);
		wanted.insert(w.all());
	}
	call.arg = arguments;
	call.args = m.args;
	call.result = &result;
	call.results = m.result == LP_NOTHING && result == LP_VOID ? 0 : 1;
	for (;; call.choice++) {
		Words w(words);
		const lp_answer answer = m.step(&w, &call);
		EXPECT(call.choice || wanted.empty() == (answer != LP_ACCEPTS));
		EXPECT(call.choice || (answer == LP_BLOCKS) == waits);
		if (answer != LP_ACCEPTS)
			break;
		got.insert(w.all());
		if (!(m.roles & LP_CHOOSES))
			break;
	}
	EXPECT(got == wanted);
}

static void check_steps()
{
	const int64_t results[] = { LP_VOID, LP_EMPTY, lp::thrown<std::length_error>(), lp::thrown<std::out_of_range>(), 0, 1, 2 };

	for (int i = 0; i < 20000; i++) {
		Items from;
		for (int n = any(4); n; n--)
			from.insert(any(3));
		const int method = any(4);
		const int64_t result = results[any(7)];
		if (method == HAS && result < 0 && !lp_is_thrown(result))
			continue; // linchpin makes 0 or 1 of it before
		check_step(method, from, any(3), result);
	}
}

static void check_rows()
{
	const unsigned roles[] = { LP_INSERTS, LP_REMOVES | LP_CHOOSES, 0, LP_READS, LP_READS };
	const lp_shape shapes[] = { LP_NOTHING, LP_VALUE_OR_EMPTY, LP_VALUE, LP_TRUTH, LP_VALUES };

	for (int i = 0; i < 5; i++)
		EXPECT(lp_class_methods[i].roles == roles[i] && lp_class_methods[i].result == shapes[i]);
	EXPECT(lp_class_kind.thrown_count == 1 && lp_class_kind.thrown[0].number == lp::thrown<std::length_error>());
	EXPECT(lp_class_kind.thrown[0].name == std::string("std::length_error"));
	EXPECT(lp_is_thrown(lp::thrown<std::length_error>()) && !lp_is_thrown(LP_NIL) && !lp_is_thrown(LP_LOWEST));
	Words words;
	lp_class_kind.begin(&words, nullptr);
	EXPECT(words.count == 1 && words.at[0] == 0);
	Bag bag;
	bag.items = { 2, 1, 2 };
	char text[32];
	words.count = 0;
	lp::put(&words, bag);
	lp_class_kind.show(&words, nullptr, text, sizeof text);
	EXPECT(text == std::string("{1, 2, 2}"));
}

// ---- calls ----

struct Object {
	int put(short a, bool b) { return a + b; }
	bool take(Colour &where) noexcept { return where = Colour::green, true; }
	bool find(int key, long &value, int other) const { return value = key * 10 + other, key > 0; }
	unsigned get() const { throw std::out_of_range("get"); }
};
static Object object;
static long half(long v) { return v / 2; }
LP_CALL(put, object, &Object::put)
LP_CALL(take_colour, object, &Object::take)
LP_CALL(find, object, &Object::find)
LP_CALL(get, object, &Object::get, lp::nil_on<std::logic_error>)
LP_CALL(half, half)
LP_CALL(generic, [](auto a, auto b) { return a * b; })
LP_CALL(nothing, [] {})
LP_CALL(throws_listed, [](int v) { if (v) throw std::length_error(""); })

static void check_calls()
{
	EXPECT(lp_callable_put.args == 2 && lp_method_put(3, 7) == 4);
	EXPECT(lp_callable_take_colour.args == 0 && lp_method_take_colour() == 1);
	EXPECT(lp_callable_find.args == 2 && lp_method_find(3, 4) == 34 && lp_method_find(0, 4) == LP_NIL);
	EXPECT(lp_method_get() == LP_NIL && lp_method_half(9) == 4 && lp_method_generic(3, 4) == 12);
	EXPECT(lp_method_nothing() == LP_VOID && lp_method_throws_listed(0) == LP_VOID);
	EXPECT(lp_method_throws_listed(1) == lp::thrown<std::length_error>());
}

// What linchpin defines where it runs.
extern "C" {
int64_t lp_call_argument(unsigned) { return 0; }
void lp_call_returns(int64_t) {}
int64_t lp_several(const int64_t *, unsigned) { return 0; }
}

int main()
{
	check_words();
	check_steps();
	check_rows();
	check_calls();
}
