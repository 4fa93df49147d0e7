// memory_resource.cc -- std::pmr: the resources that are not templates.
//
// Pools are simple: every block comes from upstream and goes back there when it is freed.  A program can
// notice this only by the addresses that it gets.
#include <algorithm>
#include <atomic>
#include <memory_resource>
#include <mutex>
#include <new>

namespace std::pmr {

memory_resource::~memory_resource() = default;

namespace {

struct from_heap final : memory_resource {
	void *do_allocate(size_t size, size_t align) override { return ::operator new(size, align_val_t(align)); }
	void do_deallocate(void *p, size_t size, size_t align) noexcept override
	{
		::operator delete(p, size, align_val_t(align));
	}
	bool do_is_equal(const memory_resource &other) const noexcept override { return &other == this; }
};

struct from_nowhere final : memory_resource {
	void *do_allocate(size_t, size_t) override { throw bad_alloc(); }
	void do_deallocate(void *, size_t, size_t) noexcept override {}
	bool do_is_equal(const memory_resource &other) const noexcept override { return &other == this; }
};

// Initialised when they are compiled, and never destroyed: a program that does not use them has none of them.
[[clang::no_destroy]] constinit from_heap heap;
[[clang::no_destroy]] constinit from_nowhere nowhere;
constinit atomic<memory_resource *> standard(&heap);

} // namespace

memory_resource *new_delete_resource() noexcept { return &heap; }
memory_resource *null_memory_resource() noexcept { return &nowhere; }
memory_resource *get_default_resource() noexcept { return standard.load(memory_order_acquire); }

memory_resource *set_default_resource(memory_resource *r) noexcept
{
	return standard.exchange(r ? r : &heap, memory_order_acq_rel);
}

// ---- buffers ----

class monotonic_buffer_resource::_Chunk {
public:
	_Chunk *next;
	size_t size, align;
};

void monotonic_buffer_resource::_M_new_buffer(size_t size, size_t align)
{
	align = max(align, alignof(_Chunk));
	const size_t room = (max(size, _M_next_bufsiz) + align - 1) / align * align;
	// The chunk's record is behind the memory.
	const size_t record = (room + alignof(_Chunk) - 1) / alignof(_Chunk) * alignof(_Chunk);
	char *const p = static_cast<char *>(_M_upstream->allocate(record + sizeof(_Chunk), align));

	_M_head = new (p + record) _Chunk{ _M_head, record, align };
	_M_current_buf = p;
	_M_avail = room;
	_M_next_bufsiz = static_cast<size_t>(_M_next_bufsiz * _S_growth_factor);
}

void monotonic_buffer_resource::_M_release_buffers() noexcept
{
	while (_M_head) {
		const _Chunk chunk = *_M_head;
		void *const p = reinterpret_cast<char *>(_M_head) - chunk.size;
		_M_head = chunk.next;
		_M_upstream->deallocate(p, chunk.size + sizeof(_Chunk), chunk.align);
	}
}

monotonic_buffer_resource::~monotonic_buffer_resource()
{
	release();
}

// ---- pools ----

struct __pool_resource::_BigBlock {
	void *at;
	size_t size, align;
};

__pool_resource::__pool_resource(const pool_options &options, memory_resource *upstream)
	: _M_opts(options), _M_unpooled(upstream), _M_npools(0)
{
}

__pool_resource::~__pool_resource()
{
	release();
}

void *__pool_resource::allocate(size_t size, size_t align)
{
	_M_unpooled.push_back({ nullptr, size, align });
	return _M_unpooled.back().at = resource()->allocate(size, align);
}

void __pool_resource::deallocate(void *p, size_t size, size_t align)
{
	for (auto b = _M_unpooled.begin(); b != _M_unpooled.end(); ++b)
		if (b->at == p) {
			_M_unpooled.erase(b);
			break;
		}
	resource()->deallocate(p, size, align);
}

void __pool_resource::release() noexcept
{
	for (const _BigBlock &b : _M_unpooled)
		if (b.at)
			resource()->deallocate(b.at, b.size, b.align);
	_M_unpooled.clear();
	_M_unpooled.shrink_to_fit();
}

unsynchronized_pool_resource::unsynchronized_pool_resource(const pool_options &options, memory_resource *upstream)
	: _M_impl(options, upstream)
{
}

unsynchronized_pool_resource::~unsynchronized_pool_resource() { release(); }
void unsynchronized_pool_resource::release() { _M_impl.release(); }

void *unsynchronized_pool_resource::do_allocate(size_t size, size_t align)
{
	return _M_impl.allocate(size, align);
}

void unsynchronized_pool_resource::do_deallocate(void *p, size_t size, size_t align)
{
	_M_impl.deallocate(p, size, align);
}

synchronized_pool_resource::synchronized_pool_resource(const pool_options &options, memory_resource *upstream)
	: _M_impl(options, upstream)
{
}

synchronized_pool_resource::~synchronized_pool_resource() { release(); }

void synchronized_pool_resource::release()
{
	const lock_guard<shared_mutex> lock(_M_mx);

	_M_impl.release();
}

void *synchronized_pool_resource::do_allocate(size_t size, size_t align)
{
	const lock_guard<shared_mutex> lock(_M_mx);

	return _M_impl.allocate(size, align);
}

void synchronized_pool_resource::do_deallocate(void *p, size_t size, size_t align)
{
	const lock_guard<shared_mutex> lock(_M_mx);

	_M_impl.deallocate(p, size, align);
}

} // namespace std::pmr
