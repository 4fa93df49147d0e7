# SPDX-License-Identifier: MIT
"""Single variables: accesses that an optimiser removes, merges, moves or invents."""
from kind import Kinds

KINDS = Kinds()
add, quiet = KINDS.add, KINDS.quiet

X = "static int x;"
FLAG = "static int x; static atomic_int flag;"
WRITE = "x = 1;"
READ = "out = x;"

# ---- reads whose value does not matter ----
add("dead_load", "the initialiser of y reads x, used or not", X, "int y = x; (void)y;", WRITE)
add("dead_arithmetic", "x is an operand, so its value is read", X, "(void)(x + 0);", WRITE)
add("times_zero", "both operands of * are evaluated, whatever the product", X, "out = x * 0;", WRITE)
add("minus_itself", "x is read twice", X, "out = x - x;", WRITE)
add("xor_itself", "x is read twice", X, "out = x ^ x;", WRITE)
add("equals_itself", "x is read twice", X, "out = x == x;", WRITE)
add("and_zero", "both operands of & are evaluated", X, "out = x & 0;", WRITE)
add("logical_and_false", "the left operand of && is evaluated first", X, "out = x && 0;", WRITE)
add("logical_or_true", "the left operand of || is evaluated first", X, "out = x || 1;", WRITE)
add("unsigned_below_zero", "the comparison reads x though it is always false", "static unsigned x;", "out = x < 0u;", WRITE)
add("empty_if", "the condition is evaluated", X, "if (x) { }", WRITE)
add("equal_branches", "the condition is evaluated though both branches do the same", X, "if (x) out = 1; else out = 1;",
    WRITE)
add("equal_choices", "the first operand of ?: is evaluated", X, "out = x ? 7 : 7;", WRITE)
add("empty_switch", "the controlling expression is evaluated", X, "switch (x) { default: break; }", WRITE)
add("switch_value", "the controlling expression is evaluated", X, "switch (x) { case 0: out = 1; break; case 9: out = 2; }", WRITE)
add("loop_condition", "the condition is evaluated", X, "for (int i = 0; i < x; i++) out = i;", "x = 0;")
add("while_break", "the condition is evaluated", X, "while (x) break;", WRITE)
add("unreachable", "the condition is evaluated, though the compiler may assume its value", X,
    "if (x == 5) __builtin_unreachable();", WRITE)
add("expect_hint", "the argument of __builtin_expect is evaluated", X, "if (__builtin_expect(x, 1)) { }", WRITE)
add("comma", "the left operand is evaluated as a void expression, here a sum", X, "out = (x + 1, 5);", WRITE)
add("cast_narrow", "the value is read before it is converted", "static long x;", "out = (signed char)x;", "x = 256;")
add("cast_to_bool", "the value is read before it is converted", X, "_Bool b = x; (void)b;", WRITE)
add("statement_expression", "the last expression of ({ }) is evaluated", X, "int y = ({ x + 0; }); (void)y;", WRITE)
add("unused_argument", "arguments are evaluated", X + "static NOINLINE void ignore(int v) { (void)v; }", "ignore(x);", WRITE)
add("unused_argument_inline", "arguments are evaluated", X + "static inline void ignore(int v) { (void)v; }", "ignore(x);",
    WRITE)
add("unused_result", "the function reads x, whatever the caller does with it",
    X + "static NOINLINE int get(void) { return x; }", "(void)get();", WRITE)
add("multiplied_later", "a product with zero, which is known only after inlining",
    X + "static inline int scale(int v, int by) { return v * by; }", "out = scale(x, 0);", WRITE)
add("known_from_branch", "the second read is one though x == 3 is known; the first is ordered", FLAG,
    "if (x == 3) { atomic_store_explicit(&flag, 1, memory_order_release); out = x; }",
    "if (atomic_load_explicit(&flag, memory_order_acquire)) x = 4;", setup="x = 3;", twin="join")
add("sizeof_vla", "the size expression of a VLA type is evaluated by sizeof", X, "out = (int)sizeof(char[x + 1]);", WRITE)
add("index_address", "&a[x] reads x, not a", "static int x, a[4];", "int *p = &a[x]; (void)p;", WRITE)

# ---- no access ----
quiet("sizeof", "the operand of sizeof is not evaluated", X, "out = (int)sizeof x;", WRITE)
quiet("sizeof_dereference", "the operand of sizeof is not evaluated", "static int *x, y;", "out = (int)sizeof *x;", "x = &y;")
quiet("typeof", "the operand of typeof is not evaluated", X, "__typeof__(x + 1) y = 5; (void)y;", WRITE)
quiet("generic", "the controlling expression of _Generic is not evaluated", X, "out = _Generic(x, int: 1, default: 2);",
      WRITE)
quiet("address_of", "an address is no access", X, "int *p = &x; (void)p;", WRITE)
quiet("address_of_element", "&a[2] is a + 2", "static int a[4];", "int *p = &a[2]; (void)p;", "a[2] = 1;")
quiet("address_of_dereference", "&*p is p", X, "int *p = &x; int *q = &*p; (void)q;", WRITE)
quiet("offset_of_member", "&p->b computes an address only", "static struct { int a, b; } s, *const p = &s;",
      "int *q = &p->b; (void)q;", "s.b = 1;")
quiet("constant_p", "the argument of __builtin_constant_p is not evaluated", X, "(void)__builtin_constant_p(x);", WRITE)
quiet("prefetch", "a prefetch is no access", X, "__builtin_prefetch(&x);", WRITE)
quiet("short_circuit", "the right operand of && is not evaluated if the left is 0", "static int x, no;",
      "out = no && x;", WRITE)
quiet("constant_or", "the right operand of || is not evaluated if the left is 1", X, "out = 1 || x;", WRITE)
quiet("untaken_load", "the operand of ?: that is not chosen is not evaluated", "static int x, no;",
      "out = no ? x : 7;", WRITE)
quiet("untaken_store", "the store is not reached", "static int x, no;", "if (no) x = 5;", "x = 1;")
quiet("untaken_increment", "the increment is not reached", "static int x, no;",
      "for (int i = 0; i < 4; i++) if (no) x++;", READ)
quiet("loop_no_times_load", "the loop has no iteration, so that a hoisted load is not the program's", "static int x, no;",
      "int sum = 0; for (int i = 0; i < no; i++) sum += x; (void)sum;", WRITE)
quiet("loop_no_times_store", "the loop has no iteration, so that a sunk store is not the program's", "static int x, no;",
      "for (int i = 0; i < no; i++) x = i;", READ)
quiet("static_array_parameter", "int a[static 1] promises an object, and is no access",
      X + "static int no; static NOINLINE int pick(const int a[static 1], int c) { return c ? a[0] : 0; }",
      "out = pick(&x, no);", WRITE)
quiet("two_readers", "two reads never race", X, "int y = x; (void)y;", READ)

# ---- stores ----
add("dead_store", "a store is one though its value is never used", X, "x = 5;", READ)
add("never_read", "two stores race though neither value is used", X, "x = 5;", WRITE)
add("stored_and_restored", "two stores of which the second undoes the first", X, "int old = x; x = 5; x = old;", READ)
add("store_of_itself", "x = x writes x", X, "x = x;", READ)
add("plus_zero", "x += 0 writes x", X, "x += 0;", READ)
add("or_zero", "x |= 0 writes x", X, "x |= 0;", READ)
add("times_one", "x *= 1 writes x", X, "x *= 1;", READ)
add("store_of_known", "the store writes what is there, and is still a store", X, "if (x == 0) x = 0;", READ)
add("swap_twice", "four stores without an effect", "static int x, y;",
    "int t = x; x = y; y = t; t = x; x = y; y = t;", READ)
add("increment", "x++ reads and writes", X, "x++;", READ)
add("increment_and_back", "x++; x-- writes x twice", X, "x++; x--;", READ)
add("compound_shift", "x <<= 1 reads and writes", X, "x <<= 1;", READ)
add("conditional_lvalue", "the chosen operand is written", "static int x, y, yes = 1;", "*(yes ? &x : &y) = 5;", READ)
add("conditional_value_stored", "both operands lead to a store", "static int x, yes;", "x = yes ? x : 5;", READ)
add("chained_assignment", "y = x = 5 writes x", "static int x, y;", "y = x = 5;", READ)
add("store_in_condition", "the assignment is evaluated", X, "if ((x = 0)) abort();", READ)
add("store_before_exit", "pthread_exit() does not undo the store", X, "x = 5; pthread_exit(NULL);", READ, twin="join")
add("overflow_builtin", "__builtin_add_overflow stores its result", X, "(void)__builtin_add_overflow(1, 2, &x);", READ)

# ---- accesses that may be merged across synchronisation, where the other one is ordered ----
add("merged_loads", "the second read is after the release, and races; the first does not", FLAG,
    "int a = x; atomic_store_explicit(&flag, 1, memory_order_release); LOCK int b = x; UNLOCK (void)(a + b);",
    "if (atomic_load_explicit(&flag, memory_order_acquire)) { LOCK x = 1; UNLOCK }")
add("forwarded_store", "the read after the release races though its value is known; the store does not", FLAG,
    "x = 5; atomic_store_explicit(&flag, 1, memory_order_release); LOCK out = x; UNLOCK",
    "if (atomic_load_explicit(&flag, memory_order_acquire)) { LOCK x = 1; UNLOCK }")
add("merged_stores", "the store before the wait races; the one after it, which overwrites it, does not", FLAG,
    "LOCK x = 5; UNLOCK while (!atomic_load_explicit(&flag, memory_order_acquire)) ; x = 6;",
    "LOCK out = x; UNLOCK atomic_store_explicit(&flag, 1, memory_order_release);")
add("loop_invariant_after_release", "the reads after the release race; the one before it does not", FLAG,
    "for (int i = 0; i < 2; i++) { LOCK out = x; UNLOCK atomic_store_explicit(&flag, 1, memory_order_release); }",
    "if (atomic_load_explicit(&flag, memory_order_acquire)) { LOCK x = 1; UNLOCK }")
add("store_sunk_below_release", "the store after the release races; the same one before does not", FLAG,
    "for (int i = 0; i < 2; i++) { LOCK x = i; UNLOCK atomic_store_explicit(&flag, 1, memory_order_release); }",
    "if (atomic_load_explicit(&flag, memory_order_acquire)) { LOCK out = x; UNLOCK }")
quiet("not_hoisted_above_acquire", "the read is behind the acquire, and ordered", FLAG,
      "if (atomic_load_explicit(&flag, memory_order_acquire)) out = x;",
      "x = 1; atomic_store_explicit(&flag, 1, memory_order_release);")
quiet("not_sunk_below_release", "the store is before the release, and ordered", FLAG,
      "for (int i = 0; i < 3; i++) x = i; atomic_store_explicit(&flag, 1, memory_order_release);",
      "if (atomic_load_explicit(&flag, memory_order_acquire)) out = x;")

# ---- loops ----
ARRAY = "static int a[16], b[16];"
add("hoisted_load", "each iteration reads x", X, "int sum = 0; for (int i = 0; i < 3; i++) sum += x; out = sum;", WRITE)
add("hoisted_unused", "each iteration reads x, for nothing", X, "for (int i = 0; i < 3; i++) { int y = x; (void)y; }", WRITE)
add("sunk_store", "each iteration writes x", X, "for (int i = 0; i < 3; i++) x = i;", READ)
add("vectorised_sum", "a[13] is one of the elements read", ARRAY, "int sum = 0; for (int i = 0; i < 16; i++) sum += a[i]; out = sum;",
    "a[13] = 1;")
add("vectorised_sum_unused", "a[13] is one of the elements read", ARRAY,
    "int sum = 0; for (int i = 0; i < 16; i++) sum += a[i]; (void)sum;", "a[13] = 1;")
add("memset_idiom", "a[13] is one of the elements written", ARRAY, "for (int i = 0; i < 16; i++) a[i] = 0;", "out = a[13];")
add("memcpy_idiom_from", "a[13] is read to be copied", ARRAY, "for (int i = 0; i < 16; i++) b[i] = a[i];", "a[13] = 1;")
add("memcpy_idiom_to", "b[13] is written", ARRAY, "for (int i = 0; i < 16; i++) b[i] = a[i];", "out = b[13];")
add("strlen_idiom", "the byte that ends the loop is read", "static char s[8];",
    "int n = 0; while (s[n]) n++; out = n;", "s[0] = 0;")
add("search_loop", "a[2] is compared", ARRAY, "int i = 0; while (i < 4 && !a[i]) i++; out = i;", "a[2] = 0;")
quiet("strided", "the loop writes the even elements only", ARRAY, "for (int i = 0; i < 16; i += 2) a[i] = i;", "out = a[13];")
quiet("search_stops", "the loop ends before a[2], which a wider load would touch", ARRAY,
      "int i = 0; while (i < 16 && !a[i]) i++; out = i;", "a[2] = 0;", setup="a[1] = 1;")

# ---- types ----
add("bool", "the object is read", "static _Bool x;", "out = x;", "x = 1;")
add("double", "the object is read", "static double x;", "double y = x; (void)y;", "x = 1;")
add("long_double", "the object is read", "static long double x;", "long double y = x; (void)y;", "x = 1;")
add("long_double_store", "the object is written", "static long double x;", "x = 2;", "out = (int)x;")
add("int128", "the object is read", "static __int128 x;", "__int128 y = x; (void)y;", "x = 1;")
add("int128_store", "the object is written", "static __int128 x;", "x += 1;", "out = (int)x;")
add("complex", "both parts are read", "static double _Complex x;", "double _Complex y = x; (void)y;", "x = 1;")
add("complex_store", "both parts are written", "static double _Complex x;", "x = 2;", "out = (int)__imag__ x;")
add("complex_real", "__real__ x reads the object", "static float _Complex x;", "float y = __real__ x; (void)y;", "x = 1;")
VECTOR = "typedef int vec __attribute__((vector_size(%d))); static vec x;"
add("vector_16", "all elements are read", VECTOR % 16, "vec y = x; (void)y;", "x = (vec){ 1 };")
add("vector_16_store", "all elements are written", VECTOR % 16, "x += 1;", "out = ((int *)&x)[3];")
add("vector_32_store", "all elements are written", VECTOR % 32, "x = x + 1;", "out = ((int *)&x)[7];")
MATRIX = "typedef float m __attribute__((matrix_type(2, 2))); static float a[8]; static m kept;"
add("matrix_load", "the second column is read", MATRIX, "kept = __builtin_matrix_column_major_load(a, 2, 2, 4);", "a[5] = 1;", flags=("-fenable-matrix",))
add("matrix_store", "the second column is written", MATRIX, "__builtin_matrix_column_major_store(kept, a, 4);", "out = (int)a[5];",
    flags=("-fenable-matrix",))
add("matrix_element", "the element is written", MATRIX, "kept[1][1] = 2;", "out = (int)kept[1][1];", flags=("-fenable-matrix",))
quiet("matrix_stride", "what lies between two columns is not read", MATRIX, "kept = __builtin_matrix_column_major_load(a, 2, 2, 4);", "a[3] = 1;",
      flags=("-fenable-matrix",))
for bits in 7, 24, 100, 200:
    add(f"bit_int_{bits}", "the object is written", f"static _BitInt({bits}) x;", "x = 1;", "out = (int)x;")
add("vector_element", "the element is read", VECTOR % 16, "out = x[2];", "((int *)&x)[2] = 1;")
add("enum", "the object is read", "static enum colour { RED, BLUE } x;", "switch (x) { case RED: out = 1; break; case BLUE: break; }",
    "x = BLUE;")
add("register_sized_pointer", "the pointer is read, not what it points to", "static int *x, y;", "out = x == NULL;", "x = &y;")
add("volatile_with_plain", "a plain access races with a volatile one", X, "out = *(volatile int *)&x;", WRITE)
quiet("volatile_with_volatile", "linchpin's rule: volatile accesses are relaxed atomic ones (docs/soundness.md)",
      "static volatile int v;", "out = v;", "v = 1;")
