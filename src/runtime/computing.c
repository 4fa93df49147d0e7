/* computing.c -- finds out whether a thread that computes for a long time without an operation is in an
 * endless loop. */
#define _GNU_SOURCE
#include "runtime/computing.h"

#include <string.h>

#include "base/error.h"

#if defined(__x86_64__)

#include <cpuid.h>

enum {
	TRAP = 0x100,          /* a flag: raise SIGTRAP after the next instruction */
	RESUME = 0x10000,      /* a flag that is ignored */
	RED_ZONE = 128,
	ROOM = 64 << 10,       /* bytes of the stack */
	VECTORS = 4096,        /* bytes for floating-point and vector registers */
	STEPS = 20000,
	MAGIC = 0x46505853,    /* BITS say which vector registers were saved */
	MAGIC_AT = 464,
	BITS_AT = 512,
};

static struct {
	bool on, known;
	uint32_t steps;
	uint64_t writes;
	greg_t registers[REG_EFL + 1];
	uintptr_t from, end;   /* the beginning and the end of the stack */
	size_t size;
	uint8_t stack[ROOM], vectors[VECTORS];
} watched;

static greg_t register_at(const ucontext_t *c, int i)
{
	return i == REG_EFL ? c->uc_mcontext.gregs[i] & ~(greg_t)(TRAP | RESUME) : c->uc_mcontext.gregs[i];
}

/* Finds the place where the kernel saves the registers of component i.  The first two components are
 * always in the same place. */
static bool find_component(unsigned i, uint32_t *from, uint32_t *size)
{
	uint32_t more[2];

	*from = i ? 160 : 24;
	*size = i ? 256 : 136;
	return i < 2 || __get_cpuid_count(0xd, i, size, from, &more[0], &more[1]);
}

/* Copies floating-point and vector registers, as the kernel has saved them; registers that were not saved are zero.  Returns false
 * if some are not known. */
static bool find_vectors(const ucontext_t *c, uint8_t vectors[VECTORS])
{
	const uint8_t *saved = (const uint8_t *)c->uc_mcontext.fpregs;
	uint32_t magic, from, size;
	uint64_t bits;

	memset(vectors, 0, VECTORS);
	if (!saved)
		return false;
	memcpy(&magic, saved + MAGIC_AT, sizeof magic);
	memcpy(&bits, saved + BITS_AT, sizeof bits);
	for (unsigned i = 0; magic == MAGIC && i < 64; i++) {
		if (!(bits >> i & 1))
			continue;
		if (!find_component(i, &from, &size) || from > VECTORS || size > VECTORS - from)
			return false;
		memcpy(vectors + from, saved + from, size);
	}
	return magic == MAGIC;
}

/* Remembers the state. */
static void remember(const ucontext_t *c)
{
	watched.from = (uintptr_t)c->uc_mcontext.gregs[REG_RSP] - RED_ZONE;
	watched.size = watched.end - watched.from;
	if (watched.from > watched.end || watched.size > ROOM || !find_vectors(c, watched.vectors))
		return;
	for (int i = 0; i <= REG_EFL; i++)
		watched.registers[i] = register_at(c, i);
	memcpy(watched.stack, (const void *)watched.from, watched.size);
	watched.known = true;
}

bool rt_computing_watch(ucontext_t *c, uintptr_t end)
{
	LP_HOLDS(!watched.on); /* one thread at a time */
	watched.on = true;
	watched.known = false;
	watched.end = end;
	watched.steps = STEPS;
	c->uc_mcontext.gregs[REG_EFL] |= TRAP;
	return true;
}

bool rt_computing_is_watched(void)
{
	return watched.on;
}

void rt_computing_forget(ucontext_t *c)
{
	watched.on = false;
	c->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP;
}

bool rt_computing_is_back(ucontext_t *c, bool inside, uint64_t writes)
{
	LP_HOLDS(watched.on);
	if (!watched.steps--) {
		rt_computing_forget(c);
		return false;
	}
	if (!watched.known && inside) {
		remember(c);
		watched.writes = writes;
		return false;
	}
	if (!watched.known || writes != watched.writes || c->uc_mcontext.gregs[REG_RIP] != watched.registers[REG_RIP])
		return false;
	for (int i = 0; i <= REG_EFL; i++)
		if (register_at(c, i) != watched.registers[i])
			return false;
	uint8_t vectors[VECTORS];
	return !memcmp((const void *)watched.from, watched.stack, watched.size) && find_vectors(c, vectors) &&
	       !memcmp(vectors, watched.vectors, sizeof vectors);
}

#else

bool rt_computing_watch(ucontext_t *c, uintptr_t end)
{
	(void)c;
	(void)end;
	return false;
}

bool rt_computing_is_watched(void)
{
	return false;
}

void rt_computing_forget(ucontext_t *c)
{
	(void)c;
}

bool rt_computing_is_back(ucontext_t *c, bool inside, uint64_t writes)
{
	(void)c;
	(void)inside;
	(void)writes;
	return false;
}

#endif
