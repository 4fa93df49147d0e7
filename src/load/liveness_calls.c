/* liveness_calls.c -- what is known of functions outside the object. */
#include "load/liveness_calls.h"

#include <stdlib.h>
#include <string.h>

static const char *const never_return[] = {
	"abort", "exit", "_exit", "_Exit", "quick_exit", "pthread_exit", "thrd_exit",
	"__assert_fail", "__assert", "__assert_perror_fail", "__stack_chk_fail", "longjmp",
	"_longjmp", "siglongjmp", "__longjmp_chk", "__cxa_throw", "__cxa_rethrow",
	"__cxa_bad_cast", "__cxa_bad_typeid", "__cxa_throw_bad_array_new_length",
	"__cxa_pure_virtual", "_ZSt9terminatev", "_Unwind_Resume", NULL
};

static const char *const return_twice[] = {
	"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "vfork", "getcontext", "savectx", NULL
};

/* Families of functions that all take at most six integer arguments, by prefix;
 * and single functions, ending in a blank. */
static const char *const no_stack_arguments[] = {
	"__tsan_", "__atomic_", "__sync_", "pthread_", "sem_", "mtx_", "cnd_", "thrd_", "tss_",
	"call_once ", "malloc ", "calloc ", "realloc ", "free ", "aligned_alloc ",
	"posix_memalign ", "memalign ", "memcpy ", "memmove ", "memset ", "memcmp ", "memchr ",
	"strlen ", "strcpy ", "strncpy ", "strcmp ", "strncmp ", "strcat ", "strchr ", "strrchr ",
	"strdup ", "strstr ", "sched_yield ", "usleep ", "sleep ", "nanosleep ", "abort ",
	"exit ", "_exit ", "_Exit ", "__assert_fail ", "__tls_get_addr ", "__VERIFIER_",
	"reach_error ", "lp_outcome ", "lp_choose ", "lp_call_argument ", "lp_call_returns ",
	"lp_client_next ", "lp_point ", "lp_several ", "lp_pool_alloc ", "lp_pool_free ", "puts ", "putchar ", "rand ", "srand ",
	"_Znwm ", "_Znam ", "_ZdlPv ", "_ZdlPvm ", "_ZdaPv ", "_ZdaPvm ", "__cxa_", NULL
};

static bool is_listed(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(name, *list))
			return true;
	return false;
}

static bool has_no_stack_arguments(const char *name)
{
	for (const char *const *entry = no_stack_arguments; *entry; entry++) {
		const size_t size = strcspn(*entry, " ");
		if (!strncmp(name, *entry, size) && ((*entry)[size] == '\0' || name[size] == '\0'))
			return true;
	}
	return false;
}

static const char *skip(const char *text, const char *prefix)
{
	const size_t size = strlen(prefix);

	return strncmp(text, prefix, size) ? NULL : text + size;
}

static uint8_t bytes_of(const char *digits, const char **end, unsigned unit)
{
	const unsigned long n = strtoul(digits, (char **)end, 10) / unit;

	return *end != digits && (n == 1 || n == 2 || n == 4 || n == 8 || n == 16) ? (uint8_t)n : 0;
}

/* __tsan_atomicN_OPERATION: the location (argument 0) is the explorer's business,
 * and on the stack it counts as escaped; `expected` is looked at and forgotten. */
static void atomic_facts(const char *rest, struct lp_call_facts *facts)
{
	const char *operation;
	const uint8_t bytes = bytes_of(rest, &operation, 8);
	const unsigned wide = bytes == 16; /* a value takes two registers */

	if (!bytes)
		return;
	if (!strcmp(operation, "_load")) {
		facts->arguments = 2;
	} else if (!strcmp(operation, "_compare_exchange_strong") ||
		   !strcmp(operation, "_compare_exchange_weak")) {
		facts->arguments = (uint8_t)(5 + wide);
		facts->pointer = 1;
		facts->reads = facts->writes = bytes;
	} else if (!strcmp(operation, "_compare_exchange_val")) {
		facts->arguments = (uint8_t)(5 + wide);
		facts->stack_bytes = (uint8_t)(8 * wide); /* seven registers would be needed */
	} else {
		facts->arguments = (uint8_t)(3 + wide);
	}
}

/* __tsan_[unaligned_][volatile_]{read,write,read_write}{N,_range}: an announcement of a plain
 * access that the code makes itself.  A write's hook does not read what is about to
 * be overwritten. */
static void plain_facts(const char *rest, struct lp_call_facts *facts)
{
	const char *end, *after;

	if ((after = skip(rest, "unaligned_")))
		rest = after;
	if ((after = skip(rest, "volatile_")))
		rest = after;
	const bool only_writes = strncmp(rest, "write", 5) == 0;

	if (!(after = skip(rest, "read_write")) && !(after = skip(rest, "read")) &&
	    !(after = skip(rest, "write")))
		return;
	if (!strcmp(after, "_range")) {
		facts->arguments = 2;
		facts->pointer = 0;
		facts->reads_on = !only_writes;
		return;
	}
	const uint8_t bytes = bytes_of(after, &end, 1);
	if (!bytes || (*end && strcmp(end, "_pc")))
		return;
	facts->arguments = *end ? 2 : 1;
	facts->pointer = 0;
	facts->reads = only_writes ? 0 : bytes;
}

/* Functions that are called all the time, with integer arguments only, and how many. */
static const struct { const char *name; uint8_t arguments; } plain_calls[] = {
	{ "lp_call_argument", 1 }, { "lp_call_returns", 1 }, { "lp_client_next", 0 },
	{ "lp_choose", 1 }, { "lp_point", 1 }, { "lp_outcome", 1 }, { "lp_pool_alloc", 1 }, { "lp_pool_free", 1 },
	{ "malloc", 1 }, { "calloc", 2 }, { "free", 1 }, { "sched_yield", 0 },
	{ "pthread_mutex_lock", 1 }, { "pthread_mutex_unlock", 1 }, { "pthread_mutex_trylock", 1 },
	{ "pthread_cond_wait", 2 }, { "pthread_cond_signal", 1 }, { "pthread_cond_broadcast", 1 },
	{ "_Znwm", 1 }, { "_ZdlPv", 1 }, { "_ZdlPvm", 2 },
};

struct lp_call_facts lp_call_facts(const char *name)
{
	struct lp_call_facts facts = { .returns = true, .arguments = 6, .pointer = -1 };
	const char *rest;

	if (!name)
		return facts;
	if ((rest = skip(name, "lp_shim_")))
		name = rest;
	facts.returns = !is_listed(name, never_return) &&
			!(skip(name, "_ZSt") && strstr(name, "__throw_"));
	facts.twice = is_listed(name, return_twice);
	facts.no_stack = has_no_stack_arguments(name);
	if ((rest = skip(name, "__tsan_atomic")))
		atomic_facts(rest, &facts);
	else if (!strcmp(name, "__tsan_func_exit"))
		facts.arguments = 0;
	else if (!strcmp(name, "__tsan_func_entry"))
		facts.arguments = 1;
	else if ((rest = skip(name, "__tsan_")))
		plain_facts(rest, &facts);
	for (size_t i = 0; i < sizeof plain_calls / sizeof *plain_calls; i++)
		if (!strcmp(name, plain_calls[i].name))
			facts.arguments = plain_calls[i].arguments;
	return facts;
}
