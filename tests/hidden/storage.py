# SPDX-License-Identifier: MIT
"""Where the variable is: locals whose address escapes, thread-locals, the heap; and how its address is computed."""
from kind import Kinds

KINDS = Kinds()
add, quiet = KINDS.add, KINDS.quiet

PUBLISHED = "static void *_Atomic published; static atomic_int done;"
SHOW = "atomic_store_explicit(&published, (void *)(%s), memory_order_release);"
WAIT = "while (!atomic_load_explicit(&done, memory_order_acquire)) ;"


def escape(name, why, declare, address, access, partner="*p = 1;", code="", kind="int", tell=None, **more):
    """A local variable of the hider, which waits until the partner is done with it."""
    tell = tell or SHOW % address
    add(name, why, PUBLISHED + code, f"{declare} {tell} LOCK {access} UNLOCK {WAIT}",
        f"{kind} *p = atomic_load_explicit(&published, memory_order_acquire); if (p) {{ LOCK {partner} UNLOCK }} "
        "atomic_store_explicit(&done, 1, memory_order_release);", **more)


RACES = "its owner accesses the variable after it has shown its address"
escape("local_read", RACES, "int l = 0;", "&l", "out = l;")
escape("local_read_unused", RACES, "int l = 0;", "&l", "int y = l; (void)y;")
escape("local_written", RACES, "int l = 0;", "&l", "l = 5;", "out = *p;")
escape("local_dead_store", "the store is one though the variable is about to end", "int l = 0;", "&l", "l = 5; l = 6;", "out = *p;")
escape("local_incremented", RACES, "int l = 0;", "&l", "l++;", "out = *p;")
escape("local_array", RACES, "int l[4] = { 0 };", "l", "out = l[2];", "p[2] = 1;")
escape("local_array_index", RACES, "int l[4] = { 0 }; int i = 2;", "l", "l[i] = 5;", "out = p[2];")
escape("local_struct_field", RACES, "struct s l = { 0, 0 };", "&l", "out = l.b;", "p->b = 1;", "struct s { int a, b; };", "struct s")
escape("local_struct_copied", RACES, "struct s l = { 0, 0 };", "&l", "struct s m = l; (void)m;", "p->b = 1;", "struct s { int a, b; };",
       "struct s")
escape("local_zeroed_again", RACES, "struct s l = { { 0 } };", "&l", "l = (struct s){ { 0 } };", "out = p->a[7];",
       "struct s { int a[8]; };", "struct s")
escape("local_vla", RACES, "int n = 3, l[n]; memset(l, 0, sizeof l);", "l", "out = l[1];", "p[1] = 1;")
escape("alloca", RACES, "int *l = alloca(4 * sizeof *l); memset(l, 0, 4 * sizeof *l);", "l", "l[1] = 5;", "out = p[1];")
escape("compound_literal", RACES, "struct s *l = &(struct s){ 1, 2 };", "l", "out = l->b;", "p->b = 1;", "struct s { int a, b; };", "struct s")
escape("parameter", RACES, "", "", "", code="static NOINLINE void use(int v) { " + SHOW % "&v" + " LOCK out = v; UNLOCK " + WAIT + " }",
       tell="use(0);")
escape("struct_parameter", RACES, "struct s l = { { 0 } };", "", "", "p->a[8] = 1;",
       "struct s { long a[9]; }; static NOINLINE void use(struct s v) { " + SHOW % "&v" + " LOCK out = (int)v.a[8]; UNLOCK " + WAIT + " }",
       "struct s", tell="use(l);")
escape("local_of_caller", "the callee reads a variable of its caller", "int l = 0;", "&l", "out = look(&l);",
       code="static NOINLINE int look(const int *q) { return *q; }")
escape("local_through_heap", "the address is in a heap node", "int l = 0; int **node = malloc(sizeof *node); *node = &l;", "node",
       "out = l; UNLOCK " + WAIT + " free(node); LOCK", "**p = 1;", kind="int *")
escape("local_through_local", "the address is in another local", "int l = 0; int *q = &l;", "&q", "out = l;", "**p = 1;", kind="int *")
escape("local_as_integer", "the address went through an integer", "int l = 0; uintptr_t q = (uintptr_t)&l; q ^= 5;", "q ^ 5", "out = l;")
escape("local_beyond_its_field", "the address of the first field is that of the structure", "struct s l = { 0, 0 };", "&l.a", "out = l.b;",
       "p->b = 1;", "struct s { int a, b; };", "struct s")
escape("local_in_loop", RACES, "int l = 0;", "&l", "for (int i = 0; i < 2; i++) l += i;", "out = *p;")
escape("local_after_longjmp", RACES, "volatile int v = 0; jmp_buf again; int l = 0; if (!setjmp(again)) { v = 1; longjmp(again, 1); }", "&l",
       "out = l;")

# ---- thread arguments, and main()'s own variables ----
START = """
int main(void)
{
	pthread_t thread;
	int l = 0;
	pthread_create(&thread, NULL, partner, &l);
#if TWIN
	pthread_join(thread, NULL);
#endif
	%s
#if !TWIN
	pthread_join(thread, NULL);
#endif
	return 0;
}
"""
MINE = "main() accesses its variable while the thread that got its address runs"
add("argument_read", MINE, "", "", "*(int *)arg = 1;", twin="join", main=START % "int y = l; (void)y;", orders=(0,))
add("argument_written", MINE, "", "", "out = *(int *)arg;", twin="join", main=START % "l = 5;", orders=(0,))
add("argument_dead_store", MINE, "", "", "out = *(int *)arg;", twin="join", main=START % "l = 5; l = 6;", orders=(0,))
add("argument_compared", MINE, "", "", "*(int *)arg = 1;", twin="join", main=START % "if (l) { }", orders=(0,))
add("main_reads_global", "main() reads while the thread runs", "static int x;", "", "x = 1;", twin="join",
    main=START % "int y = x; (void)y;", orders=(0,))

add("thread_of_constructor", "the thread that a constructor started runs while main() does", "static int x; static pthread_t early; "
    "static void *partner(void *); __attribute__((constructor)) static void start(void) { pthread_create(&early, NULL, partner, NULL); }", "", "x = 1;",
    "named", names=("constructor", "pthread_create"), twin="join", orders=(0,), main="""
int main(void)
{
#if TWIN
	pthread_join(early, NULL);
#endif
	int y = x;
	(void)y;
#if !TWIN
	pthread_join(early, NULL);
#endif
	return 0;
}
""")

# ---- static and thread storage duration ----
add("static_local", "both threads enter the function", "static NOINLINE int count(void) { static int n; return n++; }", "count();",
    "count();", marked=False)
add("static_local_inline", "both threads enter the function", "static inline int count(void) { static int n; return ++n; }",
    "(void)count();", "(void)count();", marked=False)
add("static_local_dead", "both threads enter the function", "static NOINLINE void mark(int v) { static int n; n = v; }", "mark(1);", "mark(2);", marked=False)
escape("thread_local", "its owner reads the variable that it has shown", "", "&l", "out = l;", code="static _Thread_local int l;")
escape("thread_local_unused", "its owner reads the variable that it has shown", "", "&l", "int y = l; (void)y;", code="static _Thread_local int l;")
escape("thread_local_array", "its owner writes the element that it has shown", "", "l", "for (int i = 0; i < 4; i++) l[i] = i;", "out = p[2];",
       code="static _Thread_local int l[4];")
escape("thread_local_in_function", "its owner reads the variable that it has shown", "", "", "", code="static NOINLINE void use(void) { "
       "static _Thread_local int l; " + SHOW % "&l" + " LOCK l++; UNLOCK " + WAIT + " }", tell="use();")
escape("thread_local_alias", "its owner reads the variable that it has shown, by another name", "", "&same", "out = l;",
       code="_Thread_local int l; extern _Thread_local int same __attribute__((alias(\"l\")));")
escape("errno", "errno is an object, whose address is shown", "", "&errno", "out = errno;", code="", headers=("errno.h",))
quiet("thread_local_own", "each thread has its own", "static _Thread_local int l;", "l++;", "l++;")
add("aliased_variable", "two names of one object", "int x; extern int y __attribute__((alias(\"x\")));", "int v = y; (void)v;", "x = 1;")
add("weak_variable", "the object is read", "__attribute__((weak)) int x;", "int v = x; (void)v;", "x = 1;")
add("section_variable", "the object is read", "static int x __attribute__((section(\"hidden_data\"))) = 3;", "int v = x; (void)v;", "x = 1;")
add("over_aligned", "the object is read", "static int x __attribute__((aligned(128)));", "int v = x; (void)v;", "x = 1;")
add("tentative", "the object is read", "int x; int x;", "int v = x; (void)v;", "x = 1;")
add("const_pointer", "const is a property of the pointer: the object is read", "static int x;", "const int *const p = &x; int v = *p; (void)v;", "x = 1;")
add("const_cast_away", "the object is not const, and is written", "static int x; static NOINLINE void set(const int *p) { *(int *)p = 5; }",
    "set(&x);", "out = x;")
quiet("string_literal", "both read a literal", "static const char *const s = \"abc\";", "int v = s[1]; (void)v;", "out = s[1];")
quiet("const_object", "both read an object that is const", "static const int table[4] = { 1, 2, 3, 4 };", "int v = table[1]; (void)v;", "out = table[1];")
add("array_from_literal", "the array is an object of its own", "static char s[] = \"abc\";", "int v = s[1]; (void)v;", "s[1] = 'x';")
add("restrict_pointer", "restrict says nothing about other threads", "static int x; static NOINLINE int get(int *restrict p) { return *p; }",
    "out = get(&x);", "x = 1;")

# ---- addresses ----
X = "static int x; "
add("through_pointer_table", "the object is read", X + "static int y, *table[2] = { &y, &x };", "int v = *table[1]; (void)v;", "x = 1;")
add("pointer_table_entry", "the pointer is read", X + "static int y, *table[2] = { &y, &y };", "out = *table[1];", "table[1] = &x;")
add("through_integer", "the object is read", X, "uintptr_t p = (uintptr_t)&x; p += 8; int v = *(int *)(p - 8); (void)v;", "x = 1;")
add("container_of", "the object is read", "static struct s { int a, b; } s;",
    "int *b = &s.b; struct s *p = (struct s *)((char *)b - offsetof(struct s, b)); int v = p->a; (void)v;", "s.a = 1;")
add("pointer_copied_by_bytes", "the object is read", X, "int *p = &x, *q; memcpy(&q, &p, sizeof q); int v = *q; (void)v;", "x = 1;")
add("negative_index", "a[1] is p[-2]", "static int a[4];", "int *p = a + 3; int v = p[-2]; (void)v;", "a[1] = 1;")
add("pointer_in_union", "the object is read", X, "union { int *p; long l; } u = { &x }; int v = *u.p; (void)v;", "x = 1;")
add("chosen_pointer", "the object is read", X + "static int y, yes = 1;", "int *p = yes ? &x : &y; int v = *p; (void)v;", "x = 1;")
add("computed_goto", "the access is where the label says", X + "static int which;",
    "static void *const to[] = { &&a, &&b }; goto *to[which]; a: { int v = x; (void)v; } b: ;", "x = 1;")
add("duffs_device", "the access is inside the switch", X + "static int n = 1;",
    "int i = 0; switch (n) { case 0: do { i++; case 1: x = i; } while (i < 1); }", "out = x;")

# ---- the heap ----
HEAP = "static int *p;"
FREED = ("race", "use after free")
NEW = "p = calloc(4, sizeof *p);"
add("calloc_read", "the element is read", HEAP, "int v = p[3]; (void)v;", "p[3] = 1;", setup=NEW)
add("malloc_dead_store", "the store is one though the block is never read", HEAP, "p[1] = 5;", "p[1] = 1;", setup=NEW)
add("posix_memalign_read", "the element is read", HEAP, "int v = p[3]; (void)v;", "p[3] = 1;",
    setup="void *q; if (posix_memalign(&q, 64, 64)) return 1; p = q; p[3] = 0;")
add("aligned_alloc_written", "the element is written", HEAP, "p[3] = 5;", "out = p[3];", setup="p = aligned_alloc(64, 64); p[3] = 0;")
add("posix_memalign_result", "posix_memalign() writes the pointer", "static void *q;", "if (posix_memalign(&q, 64, 64)) abort();", "out = q != NULL;")
add("freed", "free() ends the object that the partner reads", HEAP, "free(p);", "out = p[1];", setup=NEW, errors=FREED, twin="join", orders=(1,))
add("freed_written", "free() ends the object that the partner writes", HEAP, "free(p);", "p[1] = 1;", setup=NEW, errors=FREED, twin="join", orders=(1,))
add("stored_then_freed", "the store is one though the block is about to end", HEAP, "p[1] = 5; free(p);", "out = p[1];", setup=NEW, errors=FREED,
    twin="join", orders=(1,))
add("free_reads_pointer", "the argument of free() is read", HEAP, "free(p);", "p = NULL;", twin="join")
add("realloc_result", "the result is assigned to p", HEAP, "p = realloc(p, 4096);", "out = p != NULL;", setup=NEW)
add("realloc_moves", "realloc() copies the block, and ends it, while the partner writes it", "static int *p, *q;", "q = realloc(p, 4096);", "p[1] = 1;", setup=NEW,
    errors=FREED, twin="join", orders=(1,))
add("strdup_reads", "strdup() reads the string", "static char s[4] = \"ab\";", "free(strdup(s));", "s[1] = 'x';")
quiet("own_blocks", "each thread has its own block", "", "int *q = malloc(4); if (q) *q = 1; free(q);", "int *q = malloc(4); if (q) *q = 1; free(q);")
quiet("free_null", "free(NULL) does nothing", HEAP, "free(NULL);", "p = NULL;")
