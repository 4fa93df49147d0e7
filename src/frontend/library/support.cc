// support.cc -- those parts of the library that hash tables, futures, condition variables and handlers need.
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <functional>
#include <future>
#include <new>
#include <random>
#include <thread>
#include <unordered_map>

#include <pthread.h>

// ---- hash tables ----

namespace std::__detail {

static bool is_prime(size_t n)
{
	for (size_t i = 2; i * i <= n; i++)
		if (n % i == 0)
			return false;
	return true;
}

// The library looks the number up in a table of primes, each about twice the one before.  Which
// primes they are does not matter to a program.
size_t _Prime_rehash_policy::_M_next_bkt(size_t n) const
{
	static constexpr unsigned char first[] = { 1, 1, 2, 3, 5, 5, 7, 7, 11, 11, 11, 11, 13, 13 };
	size_t buckets = n < sizeof first ? first[n] : n | 1;

	if (!n) // a new table: the first element is to make it grow
		return 1;
	while (n >= sizeof first && !is_prime(buckets))
		buckets += 2;
	_M_next_resize = size_t(__builtin_floor(buckets * (double)_M_max_load_factor));
	return buckets;
}

pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets, size_t elements, size_t more) const
{
	if (elements + more <= _M_next_resize)
		return { false, 0 };
	const size_t wanted = elements + more;
	const double least = (_M_next_resize || wanted > 11 ? wanted : 11) / (double)_M_max_load_factor;
	if (least >= buckets) {
		const size_t grown = buckets * _S_growth_factor, needed = size_t(__builtin_floor(least)) + 1;
		return { true, _M_next_bkt(needed > grown ? needed : grown) };
	}
	_M_next_resize = size_t(__builtin_floor(buckets * (double)_M_max_load_factor));
	return { false, 0 };
}

} // namespace std::__detail

// ---- futures ----

namespace std {

__future_base::_Result_base::_Result_base() = default;
__future_base::_Result_base::~_Result_base() = default;
thread::_State::~_State() = default;

} // namespace std

// ---- at the end of a thread ----

namespace {

pthread_once_t made = PTHREAD_ONCE_INIT;
pthread_key_t key;

void run(void *first)
{
	for (auto *e = static_cast<std::__at_thread_exit_elt *>(first); e;) {
		auto *const next = e->_M_next;
		e->_M_cb(e);
		e = next;
	}
}

struct notifier : std::__at_thread_exit_elt {
	std::unique_lock<std::mutex> lock;
	std::condition_variable &condition;

	notifier(std::condition_variable &c, std::unique_lock<std::mutex> &l) : lock(std::move(l)), condition(c) {}
};

void notify(void *element)
{
	notifier *const n = static_cast<notifier *>(static_cast<std::__at_thread_exit_elt *>(element));

	n->lock.unlock();
	n->condition.notify_all();
	delete n;
}

} // namespace

namespace std {

// Keys are destroyed after thread_local objects.
void __at_thread_exit(__at_thread_exit_elt *element)
{
	pthread_once(&made, [] { pthread_key_create(&key, run); });
	element->_M_next = static_cast<__at_thread_exit_elt *>(pthread_getspecific(key));
	pthread_setspecific(key, element);
}

void notify_all_at_thread_exit(condition_variable &condition, unique_lock<mutex> lock)
{
	notifier *const n = new notifier(condition, lock);

	n->_M_cb = notify;
	__at_thread_exit(n);
}

// set_value_at_thread_exit() has stored the result, and this makes it ready.
void __future_base::_State_baseV2::_Make_ready::_S_run(void *element)
{
	const unique_ptr<_Make_ready> self(static_cast<_Make_ready *>(static_cast<__at_thread_exit_elt *>(element)));

	if (const auto state = self->_M_shared_state.lock())
		state->_M_status._M_store_notify_all(_Status::__ready, memory_order_release);
}

void __future_base::_State_baseV2::_Make_ready::_M_set()
{
	_M_cb = _S_run;
	__at_thread_exit(this);
}

} // namespace std

// ---- handlers ----

namespace {
std::atomic<std::new_handler> when_out_of_memory;
}

namespace std {
new_handler set_new_handler(new_handler h) noexcept { return when_out_of_memory.exchange(h, memory_order_acq_rel); }
new_handler get_new_handler() noexcept { return when_out_of_memory.load(memory_order_acquire); }
} // namespace std

// ---- random numbers ----

double std::random_device::_M_getentropy() const noexcept
{
	return 0;
}
