/* test_context.c -- the switch between stacks (runtime/coroutines/context.h), by itself. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "expect.h"
#include "runtime/coroutines/context.h"

enum { STACK = 64 << 10 };

unsigned hold(void **from, void *to, uint64_t pattern); /* registers.S */

static _Alignas(16) uint8_t stack[STACK];
static void *const top = stack + STACK;
static void *explorer, *thread; /* contexts that are suspended */
static unsigned wrong, rounds;

/* ---- registers ---- */

static void hold_again_and_again(void)
{
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	EXPECT(here > (uintptr_t)stack && here < (uintptr_t)top);
	EXPECT(here % 16 == 0);
	for (rounds = 0;; rounds++)
		wrong += hold(&thread, explorer, UINT64_C(0x1111111111110000) * (rounds % 7 + 1));
}

static void registers_are_preserved(void)
{
	thread = lp_context_prepare(top, hold_again_and_again);
	wrong = 0;
	for (uint64_t i = 0; i < 100; i++)
		EXPECT(hold(&explorer, thread, ~i << 8) == 0);
	EXPECT(rounds == 99);
	EXPECT(wrong == 0);
}

/* ---- a suspended context is the bytes of its stack ---- */

static volatile unsigned counted;

static void count(void)
{
	for (volatile unsigned n = 1;; n++) {
		counted = n;
		lp_context_switch(&thread, explorer);
	}
}

static void a_context_can_be_copied(void)
{
	static uint8_t copy[STACK];

	thread = lp_context_prepare(top, count);
	for (int i = 0; i < 3; i++)
		lp_context_switch(&explorer, thread);
	EXPECT(counted == 3);
	void *const saved = thread;
	const size_t size = (size_t)((uint8_t *)top - (uint8_t *)saved);
	memcpy(copy, saved, size);
	for (int i = 0; i < 5; i++)
		lp_context_switch(&explorer, thread);
	EXPECT(counted == 8);
	memcpy(saved, copy, size);
	lp_context_switch(&explorer, saved);
	EXPECT(counted == 4);
}

/* ---- where it goes on ---- */

static void landed(void)
{
	counted = 1000;
	lp_context_leave(explorer);
}

static void the_address_can_be_replaced(void)
{
	thread = lp_context_prepare(top, count);
	lp_context_switch(&explorer, thread);
	*lp_context_address(thread) = (void *)landed;
	lp_context_switch(&explorer, thread);
	EXPECT(counted == 1000);
}

/* ---- leaving from within a signal handler ---- */

static void *fault_address;

static void on_fault(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	fault_address = info->si_addr;
	lp_context_leave(explorer);
}

static uint8_t *forbidden;

static void fault(void)
{
	*(volatile uint8_t *)forbidden = 1;
	counted = 0; /* not reached */
	lp_context_leave(explorer);
}

static void faults_are_left(void)
{
	static uint8_t handlers[STACK];
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };

	action.sa_sigaction = on_fault;
	sigaltstack(&(stack_t){ .ss_sp = handlers, .ss_size = sizeof handlers }, NULL);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	forbidden = mmap(NULL, 1 << 16, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	forbidden += 4711;
	for (int i = 0; i < 3; i++) { /* nothing is left behind: it works again */
		counted = 1;
		fault_address = NULL;
		thread = lp_context_prepare(top, fault);
		EXPECT(hold(&explorer, thread, UINT64_C(0xabcdef00) << i) == 0);
		EXPECT(counted == 1);
		EXPECT(fault_address == forbidden);
	}
}

int main(void)
{
	registers_are_preserved();
	a_context_can_be_copied();
	the_address_can_be_replaced();
	faults_are_left();
	return expect_status();
}
