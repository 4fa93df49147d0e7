// new.cc -- operators new and delete in terms of those that a program may replace.
//
// These are linked if a program replaces one of them.  Otherwise the runtime provides them all.
#include <new>

#define QUIETLY(call)             \
	try {                     \
		return call;      \
	} catch (...) {           \
		return nullptr;   \
	}

void *operator new[](std::size_t size) { return ::operator new(size); }
void *operator new[](std::size_t size, std::align_val_t align) { return ::operator new(size, align); }
void *operator new(std::size_t size, const std::nothrow_t &) noexcept { QUIETLY(::operator new(size)) }
void *operator new[](std::size_t size, const std::nothrow_t &) noexcept { QUIETLY(::operator new[](size)) }
void *operator new(std::size_t size, std::align_val_t align, const std::nothrow_t &) noexcept
{
	QUIETLY(::operator new(size, align))
}
void *operator new[](std::size_t size, std::align_val_t align, const std::nothrow_t &) noexcept
{
	QUIETLY(::operator new[](size, align))
}

void operator delete[](void *p) noexcept { ::operator delete(p); }
void operator delete(void *p, std::size_t) noexcept { ::operator delete(p); }
void operator delete[](void *p, std::size_t) noexcept { ::operator delete[](p); }
void operator delete(void *p, const std::nothrow_t &) noexcept { ::operator delete(p); }
void operator delete[](void *p, const std::nothrow_t &) noexcept { ::operator delete[](p); }
void operator delete[](void *p, std::align_val_t align) noexcept { ::operator delete(p, align); }
void operator delete(void *p, std::size_t, std::align_val_t align) noexcept { ::operator delete(p, align); }
void operator delete[](void *p, std::size_t, std::align_val_t align) noexcept { ::operator delete[](p, align); }
void operator delete(void *p, std::align_val_t align, const std::nothrow_t &) noexcept { ::operator delete(p, align); }
void operator delete[](void *p, std::align_val_t align, const std::nothrow_t &) noexcept
{
	::operator delete[](p, align);
}
