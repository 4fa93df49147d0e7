# SPDX-License-Identifier: MIT
"""Atomic operations with plain sides, plain accesses to atomic objects, intrinsics and assembly."""
from kind import Kinds

KINDS = Kinds()
add, quiet = KINDS.add, KINDS.quiet

# ---- the plain operands of atomic operations ----
CAS = "static atomic_int a; static int expected; "
add("cas_expected_written", "a compare-exchange that fails writes *expected plainly", CAS,
    "atomic_compare_exchange_strong(&a, &expected, 7);", "out = expected;", setup="expected = 5;")
add("cas_expected_written_unused", "a compare-exchange that fails writes *expected plainly, wanted or not", CAS,
    "(void)atomic_compare_exchange_weak_explicit(&a, &expected, 7, memory_order_relaxed, memory_order_relaxed);", "out = expected;",
    setup="expected = 5;")
add("cas_expected_read", "a compare-exchange that succeeds reads *expected plainly", CAS, "atomic_compare_exchange_strong(&a, &expected, 7);",
    "expected = 0;")
quiet("cas_expected_kept", "a compare-exchange that succeeds does not write *expected", CAS, "atomic_compare_exchange_strong(&a, &expected, 7);",
      "out = expected;")
add("cas_desired", "the new value is read plainly", "static atomic_int a; static int x;",
    "int expected = 5; atomic_compare_exchange_strong(&a, &expected, x);", "x = 1;")
add("generic_load_result", "__atomic_load() stores what it has read plainly", "static int a, x;", "__atomic_load(&a, &x, __ATOMIC_ACQUIRE);", "out = x;")
add("generic_store_value", "__atomic_store() reads the value plainly", "static int a, x;", "__atomic_store(&a, &x, __ATOMIC_RELEASE);", "x = 1;")
add("generic_exchange_result", "__atomic_exchange() stores the old value plainly", "static int a, x;",
    "int v = 3; __atomic_exchange(&a, &v, &x, __ATOMIC_ACQ_REL);", "out = x;")
add("generic_cas_desired", "__atomic_compare_exchange() reads the new value plainly", "static int a, x;",
    "int e = 0; __atomic_compare_exchange(&a, &e, &x, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);", "x = 1;")
add("atomic_store_operand", "the value to store is read plainly", "static atomic_int a; static int x;", "atomic_store(&a, x);", "x = 1;")
add("fetch_add_operand", "the operand is read plainly", "static atomic_int a; static int x;", "atomic_fetch_add(&a, x);", "x = 1;")
add("atomic_pointer_target", "what the atomic pointer points to is read plainly", "static int x; static int *_Atomic p = &x;",
    "int v = *atomic_load(&p); (void)v;", "x = 1;")

# ---- atomic objects accessed plainly ----
A = "static atomic_int a; "
ATOMIC_WRITE = "atomic_store(&a, 1);"
add("late_init", "atomic_init() is not atomic", A, "atomic_init(&a, 5);", "out = atomic_load(&a);")
add("plain_read_of_atomic", "the read is not atomic", A, "out = *(int *)&a;", ATOMIC_WRITE)
add("plain_unused_read_of_atomic", "the read is not atomic", A, "int v = *(int *)&a; (void)v;", ATOMIC_WRITE)
add("plain_write_of_atomic", "the write is not atomic", A, "*(int *)&a = 5;", "out = atomic_load(&a);")
add("memcpy_of_atomic", "memcpy() reads plainly", A, "int v; memcpy(&v, &a, sizeof v);", ATOMIC_WRITE)
add("memset_of_atomic", "memset() writes plainly", A, "memset((void *)&a, 0, sizeof a);", "out = atomic_load(&a);")
add("struct_with_atomic", "the assignment copies the atomic member plainly", "struct s { atomic_int a; int b; }; static struct s s, t;",
    "t = s;", "atomic_store(&s.a, 1);")
add("struct_with_atomic_zeroed", "the assignment writes the atomic member plainly", "struct s { atomic_int a; int b[7]; }; static struct s s;",
    "s = (struct s){ .b = { 1 } };", "out = atomic_load(&s.a);")
add("dead_atomic_load", "an atomic read races with a plain write, used or not", A, "(void)atomic_load_explicit(&a, memory_order_relaxed);",
    "*(int *)&a = 1;")
add("idempotent_rmw", "fetch_or of 0 writes", A, "(void)atomic_fetch_or_explicit(&a, 0, memory_order_relaxed);", "out = *(int *)&a;")
add("atomic_store_of_same", "the store writes what is there, and is still a store", A,
    "atomic_store_explicit(&a, 0, memory_order_relaxed);", "out = *(int *)&a;")
add("sync_builtin", "the other access is plain", "static int a;", "__sync_fetch_and_add(&a, 1);", "out = a;")
add("plain_beside_builtin", "the read is not atomic", "static int a;", "out = a;", "__atomic_store_n(&a, 1, __ATOMIC_SEQ_CST);")
add("double_checked", "the first look at the pointer is plain", "static int *p, x; ", "if (!p) { LOCK if (!p) p = &x; UNLOCK }",
    "LOCK if (!p) p = &x; UNLOCK", twin="join")
quiet("atomic_with_atomic", "both are atomic", A, "out = atomic_load_explicit(&a, memory_order_relaxed);",
      "atomic_store_explicit(&a, 1, memory_order_relaxed);")
quiet("atomic_index", "the index is an atomic read", A + "static int item[4];", "out = item[a];", "a = 1;")
quiet("atomic_condition", "the condition is an atomic read", A, "if (a) out = 1;", "a = 1;")
quiet("atomic_compound", "a += 2 is one atomic operation", A, "a += 2;", "a++;")
quiet("atomic_compound_multiply", "a *= 2 is atomic", A, "a *= 2;", "a++;")
quiet("atomic_switch", "the controlling expression is an atomic read", A, "switch (a) { case 1: out = 1; }", "a = 1;")
quiet("atomic_double", "a += 1 is atomic on a double, too", "static _Atomic double a;", "a += 1;", "a = 2;")

# ---- atomic structures ----
BIG = "struct s { long v[4]; }; static _Atomic struct s a; "
quiet("atomic_struct_32", "both are atomic", BIG, "struct s l = atomic_load(&a); (void)l;", "struct s l = { { 1 } }; atomic_store(&a, l);")
add("atomic_struct_32_plain", "the read is not atomic", BIG, "struct s l; memcpy(&l, (void *)&a, sizeof l);",
    "struct s l = { { 1 } }; atomic_store(&a, l);")
add("atomic_struct_32_result", "the result is assigned plainly", BIG + "static struct s x;", "x = atomic_load(&a);", "out = (int)x.v[3];")
add("atomic_struct_32_value", "the value to store is read plainly", BIG + "static struct s x;", "atomic_store(&a, x);", "x.v[3] = 1;")
add("atomic_struct_32_expected", "a compare-exchange that fails writes *expected plainly", BIG + "static struct s x = { { 5 } };",
    "struct s d = { { 0 } }; atomic_compare_exchange_strong(&a, &x, d);", "out = (int)x.v[3];")
quiet("atomic_struct_8", "both are atomic", "struct s { int a, b; }; static _Atomic struct s a;", "struct s l = a; (void)l;", "struct s l = { 1, 2 }; a = l;")
add("atomic_struct_8_result", "the result is assigned plainly", "struct s { int a, b; }; static _Atomic struct s a; static struct s x;", "x = a;",
    "out = x.b;")
# ---- assembly and intrinsics ----
X = "static int x; "
ASM = {"names": ("asm", "assembly"), "needs": ("x86_64",)}
add("asm_reads_memory_operand", "the instruction reads x", X, "int v; __asm__ volatile(\"movl %1, %0\" : \"=r\"(v) : \"m\"(x)); out = v;", "x = 1;",
    "named", **ASM)
add("asm_writes_memory_operand", "the instruction writes x", X, "__asm__ volatile(\"movl $5, %0\" : \"=m\"(x));", "out = x;", "named", **ASM)
add("asm_updates_memory_operand", "the instruction reads and writes x", X, "__asm__ volatile(\"addl $5, %0\" : \"+m\"(x) : : \"cc\");", "out = x;",
    "named", **ASM)
add("asm_writes_through_register", "the instruction writes what the register points to", X,
    "__asm__ volatile(\"movl $5, (%0)\" : : \"r\"(&x) : \"memory\");", "out = x;", "named", **ASM)
add("asm_not_volatile_unused", "the operand x is read", X, "int v; __asm__(\"\" : \"=r\"(v) : \"0\"(x)); (void)v;", "x = 1;", "named", **ASM)
add("asm_register_operand", "the operand x is read by the compiler's load", X, "__asm__ volatile(\"\" : : \"r\"(x));", "x = 1;", "named", **ASM)
add("asm_output_register", "the result is stored to x by the compiler's store", X, "__asm__ volatile(\"movl $5, %0\" : \"=r\"(x));", "out = x;", "named",
    **ASM)
add("asm_string_instruction", "the instruction writes 16 bytes", "static char s[16];",
    "void *to = s; size_t n = 16; __asm__ volatile(\"rep stosb\" : \"+D\"(to), \"+c\"(n) : \"a\"(0) : \"memory\");", "out = s[15];", "named", **ASM)
add("after_asm_barrier", "an empty assembly is no synchronisation", X, "int v = x; __asm__ volatile(\"\" : : : \"memory\"); v += x; (void)v;", "x = 1;",
    "named", **ASM)
VEC = "static int a[8] __attribute__((aligned(32))); "
for name, include, flags, call, partner in [
        ("sse_load", "emmintrin.h", (), "__m128i v = _mm_load_si128((const __m128i *)a); (void)v;", "a[3] = 1;"),
        ("sse_load_unaligned", "emmintrin.h", (), "__m128i v = _mm_loadu_si128((const __m128i *)(a + 1)); (void)v;", "a[4] = 1;"),
        ("sse_load_low", "emmintrin.h", (), "__m128i v = _mm_loadl_epi64((const __m128i *)a); (void)v;", "a[1] = 1;"),
        ("sse_store", "emmintrin.h", (), "_mm_store_si128((__m128i *)a, _mm_setzero_si128());", "out = a[3];"),
        ("sse_stream", "emmintrin.h", (), "_mm_stream_si128((__m128i *)a, _mm_setzero_si128());", "out = a[3];"),
        ("sse_stream_int", "emmintrin.h", (), "_mm_stream_si32(a, 5);", "out = a[0];"),
        ("sse_masked_store", "emmintrin.h", (), "_mm_maskmoveu_si128(_mm_setzero_si128(), _mm_set1_epi8(-1), (char *)a);", "out = a[3];"),
        ("avx_masked_load", "immintrin.h", ("-mavx2",), "__m128i v = _mm_maskload_epi32(a, _mm_set1_epi32(-1)); (void)v;", "a[3] = 1;"),
        ("avx_masked_store", "immintrin.h", ("-mavx2",), "_mm_maskstore_epi32(a, _mm_set1_epi32(-1), _mm_setzero_si128());", "out = a[3];"),
        ("avx_gather", "immintrin.h", ("-mavx2",), "__m128i v = _mm_i32gather_epi32(a, _mm_set1_epi32(3), 4); out = _mm_extract_epi32(v, 0);", "a[3] = 1;"),
        ("carry", "immintrin.h", (), "(void)_addcarry_u32(0, 1, 2, (unsigned *)a);", "out = a[0];"),
        ("flags_saved", "immintrin.h", ("-mfxsr",), "_fxsave(area);", "out = area[24];")]:
    code = VEC + ("static char area[512] __attribute__((aligned(16)));" if "area" in call else "")
    add(f"intrinsic_{name}", "the intrinsic accesses what the partner accesses", code, call, partner, "named", headers=(include,), flags=flags,
        needs=("x86_64", "avx2") if "-mavx2" in flags else ("x86_64",), names=("asm", "assembly", "intrinsic", "instruction", "llvm.x86", "maskmov", "gather", "fxsave", "movnt"))
