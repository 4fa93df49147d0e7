# SPDX-License-Identifier: MIT
"""Structures, unions, bit-fields, arrays: copies that the compiler makes, and neighbours that it must leave alone."""
from kind import Kinds

KINDS = Kinds()
add, quiet = KINDS.add, KINDS.quiet


def struct(fields, more=""):
    return f"struct s {{ {fields} }}; static struct s s, t; {more}"


SMALL, LARGE, ODD = "int a, b;", "long a[9]; int b;", "char a, b, c;"

add("struct_assigned_from", "s = t reads all of t", struct(SMALL), "s = t;", "t.b = 1;")
add("struct_assigned_to", "s = t writes all of s", struct(SMALL), "s = t;", "out = s.b;")
add("struct_assigned_to_itself", "s = s reads and writes s", struct(SMALL), "s = s;", "out = s.b;")
add("struct_read_unused", "the copy reads s", struct(SMALL), "struct s l = s; (void)l;", "s.b = 1;")
add("large_struct_read_unused", "the copy reads s", struct(LARGE), "struct s l = s; (void)l;", "s.b = 1;")
add("struct_one_field_used", "the copy reads all of s, though only one field is used", struct(SMALL),
    "struct s l = s; out = l.a;", "s.b = 1;")
add("large_struct_assigned", "s = t writes all of s", struct(LARGE), "s = t;", "out = s.b;")
add("odd_struct_assigned", "s = t reads all three bytes of t", struct(ODD), "s = t;", "t.c = 1;")
add("struct_zeroed", "every member is written", struct(LARGE), "s = (struct s){ 0 };", "out = (int)s.a[8];")
add("struct_initialised_partly", "members without an initialiser are written, too", struct(SMALL), "s = (struct s){ .a = 1 };", "out = s.b;")
add("array_in_struct", "the array is copied with the structure", struct("char a[40];"), "s = t;", "t.a[39] = 1;")
add("array_in_struct_element", "the element is read", struct("int n, a[8];"), "out = s.a[s.n + 3];", "s.a[3] = 1;")
add("nested_struct", "the inner structure is copied", "static struct { int a; struct { long b, c; } in; } s; static long y;",
    "__typeof__(s.in) l = s.in; (void)l;", "s.in.c = 1;")
add("flexible_array", "the element is read", "struct s { int n; int a[]; }; static struct s *s;", "out = s->a[2];", "s->a[2] = 1;",
    setup="s = calloc(1, sizeof *s + 4 * sizeof(int));")
add("union_copied", "the copy reads all bytes of the union", "union u { char c; long l[3]; }; static union u s, t;",
    "union u l = s; (void)l;", "s.l[2] = 1;")
add("union_punning", "the bytes of the float are those of the integer", "static union { int i; float f; } u;",
    "float f = u.f; (void)f;", "u.i = 1;")
add("union_byte", "the byte is part of the integer", "static union { int i; char c[4]; } u;", "out = u.i;", "u.c[3] = 1;")
add("bytes_of_int", "the byte is part of the integer", "static int x;", "out = ((unsigned char *)&x)[2];", "x = 1;")
add("array_initialised_from", "the initialisers are evaluated", "static int x, y;", "int l[2] = { y, x }; (void)l;", "x = 1;")
add("array_element_unused", "the subscript expression is a value that is read", "static int a[4], i = 2;", "int y = a[i]; (void)y;", "a[2] = 1;")
add("array_index_shared", "the index is read", "static int a[4], i;", "out = a[i];", "i = 1;")
add("matrix_row", "all of the row is written", "static int m[4][4];", "for (int i = 0; i < 4; i++) m[2][i] = i;", "out = m[2][3];")
add("pointer_in_shared_node", "p->next is read to find the node", "static struct n { struct n *next; int v; } a = { &a, 1 }, b;",
    "out = a.next->v;", "a.next = &b;")
add("pointer_chase_last", "the last member of the chain is read", "static struct n { struct n *next; int v; } a = { &a, 1 };",
    "out = a.next->next->v;", "a.v = 2;")

# ---- by value ----
TAKE = "static NOINLINE int take(struct s v) { return (int)v.b; }"
IGNORE = "static NOINLINE void ignore(struct s v) { (void)v; }"
GIVE = "static NOINLINE struct s give(void) { struct s l = { 0 }; l.b = 3; return l; }"
SIZES = {"8": "int a, b;", "12": "int a, c, b;", "16": "long a, b;", "mixed": "double a; int b;", "floats": "float a, c, b;",
         "3": "char a, c, b;", "long_double": "long double a; int b;", "80": LARGE}
for size, fields in SIZES.items():
    add(f"struct_{size}_passed", "the argument is a copy, which reads s.b", struct(fields, TAKE), "out = take(s);", "s.b = 1;")
    add(f"struct_{size}_returned_into", "the result is assigned, which writes s.b", struct(fields, GIVE), "s = give();", "out = (int)s.b;")
for size in ("8", "80"):
    add(f"struct_{size}_passed_ignored", "the argument is a copy, which reads s.b", struct(SIZES[size], IGNORE), "ignore(s);", "s.b = 1;")
    add(f"struct_{size}_returned", "`return s` reads s.b", struct(SIZES[size], "static NOINLINE struct s get(void) { return s; }"),
        "t = get();", "s.b = 1;")
    add(f"struct_{size}_returned_ignored", "`return s` reads s.b", struct(SIZES[size], "static NOINLINE struct s get(void) { return s; }"),
        "(void)get();", "s.b = 1;")
    add(f"struct_{size}_through_pointer", "the copy reads p->b", struct(SIZES[size], TAKE + "static struct s *p = &s;"),
        "out = take(*p);", "s.b = 1;")
    add(f"struct_{size}_in_varargs", "the argument is a copy, which reads s.b",
        struct(SIZES[size], "static NOINLINE void many(int n, ...) { (void)n; }"), "many(1, s);", "s.b = 1;")
add("struct_member_of_result", "give().b writes no shared memory, get() reads s",
    struct(LARGE, "static NOINLINE struct s get(void) { return s; }"), "out = get().b;", "s.b = 1;")
add("struct_chosen", "the chosen structure is copied", struct(LARGE, "static int yes = 1;"), "struct s l = yes ? s : t; (void)l;", "s.b = 1;")
add("callee_writes_its_copy_not", "the argument is a copy: only the read races", struct(LARGE,
    "static NOINLINE void change(struct s v) { v.b = 7; out = v.b; }"), "change(s);", "s.b = 1;")
quiet("callee_writes_its_copy", "the callee writes its own copy; the shared structure is only read", struct(LARGE,
      "static NOINLINE int change(struct s v) { v.b = 7; return v.b; }"), "int r = change(s); (void)r;", "out = s.b;")
add("complex_passed", "the argument reads x", "static double _Complex x; static NOINLINE void take(double _Complex v) { (void)v; }",
    "take(x);", "x = 1;")
add("int128_passed", "the argument reads x", "static __int128 x; static NOINLINE void take(__int128 v) { (void)v; }",
    "take(x);", "x = 1;")
add("union_passed", "the argument is a copy", "union u { char c; long l[3]; }; static union u s; static NOINLINE void take(union u v) { (void)v; }",
    "take(s);", "s.l[2] = 1;")

# ---- bit-fields and packed structures ----
BITS = "static struct { unsigned a : 3, b : 5; %s } s;"
add("bit_fields_written", "adjacent bit-fields are one memory location", BITS % "", "s.a = 1;", "s.b = 1;")
add("bit_field_read", "adjacent bit-fields are one memory location", BITS % "", "out = s.a;", "s.b = 1;")
add("bit_field_read_unused", "adjacent bit-fields are one memory location", BITS % "", "unsigned v = s.a; (void)v;", "s.b = 1;")
add("bit_field_incremented", "adjacent bit-fields are one memory location", BITS % "", "s.a++;", "out = s.b;")
add("bit_field_whole_byte", "adjacent bit-fields are one memory location, however wide",
    "static struct { unsigned a : 8, b : 8; } s;", "s.a = 1;", "s.b = 1;")
add("bit_field_signed", "the field is read", "static struct { signed a : 1; } s;", "if (s.a) out = 1;", "s.a = -1;")
quiet("bit_field_member_between", "a member that is no bit-field separates memory locations",
      "static struct { unsigned a : 7; unsigned char c; unsigned b : 7; } s;", "s.a = 1; s.b = 1;", "s.c = 1;")
quiet("bit_field_zero_width", "a bit-field of width zero separates memory locations",
      "static struct { unsigned a : 3, : 0, b : 5; } s;", "s.a = 1;", "s.b = 1;")
quiet("bit_field_other_struct", "bit-fields of an inner structure are another memory location",
      "static struct { struct { unsigned char a : 3; } in; unsigned char b : 5; } s;", "s.in.a = 1;", "s.b = 1;")
PACKED = "static struct __attribute__((packed)) { char c; int i; long l; } s;"
add("packed_int", "the misaligned integer is read", PACKED, "int y = s.i; (void)y;", "s.i = 1;")
add("packed_int_last_byte", "the last byte of the misaligned integer is read", PACKED, "out = s.i;", "((char *)&s)[4] = 1;")
add("packed_long_store", "the misaligned integer is written", PACKED, "s.l = 1;", "out = ((char *)&s)[12];")
add("packed_struct_copied", "all bytes are read", PACKED, "__typeof__(s) l = s; (void)l;", "s.l = 1;")
quiet("packed_neighbours", "members are memory locations of their own", PACKED, "s.i = 1;", "s.c = 1; s.l = 1;")

# ---- neighbours ----
quiet("char_neighbours", "array elements are memory locations of their own", "static char a[8];", "a[3]++;", "a[4]++;")
quiet("member_neighbours", "members are memory locations of their own", "static struct { short a, b; } s;", "s.a += 3;", "s.b += 3;")
quiet("odd_struct_neighbour", "a copy of three bytes leaves the fourth alone",
      "struct s { char c[3]; }; static struct { struct s s; char d; } x; static struct s t;", "x.s = t;", "x.d = 1;")
quiet("odd_struct_passed_neighbour", "the argument has three bytes, the fourth is not read",
      "struct s { char c[3]; }; static struct { struct s s; char d; } x; static NOINLINE int take(struct s v) { return v.c[1]; }",
      "out = take(x.s);", "x.d = 1;")
quiet("struct_12_passed_neighbour", "the argument has twelve bytes, the rest is not read",
      "struct s { int a, b, c; }; static struct { struct s s; int d; } x; static NOINLINE int take(struct s v) { return v.c; }",
      "out = take(x.s);", "x.d = 1;")
quiet("rows_of_a_matrix", "different rows", "static char m[4][3];", "for (int i = 0; i < 3; i++) m[1][i] = 1;", "m[2][0] = 1; m[0][2] = 1;")
quiet("merged_byte_stores", "bytes 0 to 2 are written; a store of a word would touch byte 3", "static char a[4];",
      "a[0] = 1; a[1] = 1; a[2] = 1;", "a[3] = 1;")
quiet("ored_bytes", "bytes 0 to 2 are read; a load of a word would touch byte 3", "static unsigned char a[4];",
      "out = a[0] | a[1] << 8 | a[2] << 16;", "a[3] = 1;")
add("ored_bytes_all", "byte 3 is read", "static unsigned char a[4];", "out = a[0] | a[1] << 8 | a[2] << 16 | a[3] << 24;", "a[3] = 1;")
