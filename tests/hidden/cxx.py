# SPDX-License-Identifier: MIT
"""C++: objects that are made and ended, what the compiler writes for the programmer, and the library's containers."""
from kind import Kinds

KINDS = Kinds(cxx=True)
add, quiet = KINDS.add, KINDS.quiet

X = "static int x; "
WRITE, READ = "x = 1;", "out = x;"
LIFE = ("race", "use after free")

# ---- the language ----
quiet("cxx_discarded", "a discarded expression of class or plain type is not read in C++", X, "(void)x;", WRITE)
add("cxx_discarded_conversion", "the conversion reads x", X, "(void)long(x);", WRITE)
add("cxx_reference", "the object is read", X + "static int &r = x;", "int v = r; (void)v;", WRITE)
quiet("cxx_reference_bound", "binding a reference is no access", X, "int &r = x; (void)r;", WRITE)
quiet("cxx_decltype", "the operand of decltype is not evaluated", X, "decltype(x + 1) v = 5; (void)v;", WRITE)
quiet("cxx_noexcept_operator", "the operand of noexcept is not evaluated", X, "out = noexcept(x + 1);", WRITE)
add("cxx_reference_member", "the object is read", X + "struct s { int &r; }; static s o{x};", "int v = o.r; (void)v;", WRITE)
add("cxx_lambda_by_reference", "the body reads x through its capture", "", "int l = 0; auto f = [&l] { return l; }; "
    "shown.store(&l, std::memory_order_release); LOCK out = f(); UNLOCK while (!done.load(std::memory_order_acquire)) ;",
    "int *p = shown.load(std::memory_order_acquire); if (p) { LOCK *p = 1; UNLOCK } done.store(1, std::memory_order_release);")
KINDS[-1].code = "static std::atomic<int *> shown; static std::atomic<int> done;"
add("cxx_lambda_by_copy", "making the closure reads x", X + "struct s { int v; }; static s o;", "auto f = [o = o] { return 0; }; (void)f();", "o.v = 1;")
add("cxx_lambda_unused_copy", "making the closure reads x", X, "auto f = [v = x] { return 0; }; (void)f();", WRITE)
add("cxx_lambda_as_pointer", "the body reads x", X, "int (*f)() = [] { return x; }; out = f();", WRITE)
add("cxx_structured_binding", "the binding copies the pair", "struct s { int a, b; }; static s o;", "auto [a, b] = o; (void)a; (void)b;", "o.b = 1;")
add("cxx_range_for", "every element is read", "static int a[4];", "int sum = 0; for (int v : a) sum += v; (void)sum;", "a[3] = 1;")
add("cxx_initializer_list", "the initialisers are evaluated", X + "static NOINLINE int take(std::initializer_list<int> l) { return (int)l.size(); }",
    "out = take({1, x});", WRITE, headers=("initializer_list",))
add("cxx_template", "the instance reads x", X + "template <int N> NOINLINE int get() { return x * N; }", "out = get<0>();", WRITE)
add("cxx_template_static", "the static member is read", "template <class T> struct s { static int v; }; template <class T> int s<T>::v;",
    "int v = s<int>::v; (void)v;", "s<int>::v = 1;")
add("cxx_inline_variable", "the object is read", "inline int x;", "int v = x; (void)v;", WRITE)
add("cxx_default_argument", "the default argument is evaluated", X + "static NOINLINE void take(int v = x) { (void)v; }", "take();", WRITE)
add("cxx_if_initialiser", "the initialiser is evaluated", X, "if (int v = x; v == 9) out = 1;", WRITE)
add("cxx_member_pointer", "the member is read", "struct s { int a, b; }; static s o; static int s::*which = &s::b;", "int v = o.*which; (void)v;", "o.b = 1;")
add("cxx_member_function_pointer", "the function reads the member", "struct s { int b; NOINLINE int get() { return b; } }; static s o; "
    "static int (s::*which)() = &s::get;", "out = (o.*which)();", "o.b = 1;")
add("cxx_conversion_operator", "the operator reads the member", "struct s { int b; operator int() const { return b; } }; static s o;",
    "int v = o; (void)v;", "o.b = 1;")
add("cxx_index_operator", "the operator reads the element", "struct s { int a[4]; int &operator[](int i) { return a[i]; } }; static s o;",
    "int v = o[2]; (void)v;", "o.a[2] = 1;")
add("cxx_const_method_mutable", "a const method writes a mutable member", "struct s { mutable int hits; void look() const { hits++; } }; static s o;",
    "o.look();", "out = o.hits;")
add("cxx_volatile_with_plain", "a plain access races with a volatile one", X, "out = const_cast<volatile int &>(x);", WRITE)
add("cxx_placement_over", "the initialisation writes x", X, "new (&x) int(5);", READ, headers=("new",))

# ---- making objects ----
add("cxx_member_initialiser", "the constructor writes the member", "struct s { int a, b; s() : a(1), b(2) {} }; alignas(s) static char raw[sizeof(s)];"
    "static s *o = reinterpret_cast<s *>(raw);", "new (raw) s;", "out = o->b;", headers=("new",))
add("cxx_default_member_initialiser", "the constructor writes the member", "struct s { int a = 1, b = 2; }; static s o;", "new (&o) s;", "out = o.b;",
    headers=("new",))
add("cxx_value_initialisation", "s() zeroes every member", "struct s { int a[8]; }; static s o;", "new (&o) s();", "out = o.a[7];", headers=("new",))
add("cxx_aggregate_assignment", "the assignment writes every member", "struct s { int a, b; }; static s o;", "o = {1};", "out = o.b;")
add("cxx_implicit_copy", "the copy reads every member", "struct s { int a, b; }; static s o;", "s l = o; (void)l;", "o.b = 1;")
add("cxx_implicit_copy_not_trivial", "the implicit copy constructor copies b, too", "struct in { int v = 0; in() {} in(const in &) {} }; "
    "struct s { in i; int b = 0; }; static s o;", "s l = o; (void)l;", "o.b = 1;")
add("cxx_copy_assignment_base", "the implicit assignment copies the base", "struct base { int b; }; struct s : base { int c; }; static s o, q;", "q = o;",
    "o.b = 1;")
add("cxx_move", "the move constructor writes what it moves from", "struct s { int *p; s(int *q) : p(q) {} s(s &&o) : p(o.p) { o.p = nullptr; } }; "
    "static s o(nullptr);", "s l(static_cast<s &&>(o)); (void)l;", "out = o.p != nullptr;")
add("cxx_defaulted_equality", "the comparison reads every member", "struct s { int a, b; bool operator==(const s &) const = default; }; static s o, q;",
    "(void)(o == q);", "o.b = 1;", flags=("-std=c++20",))
add("cxx_passed_by_value_copy", "the copy constructor reads the member", "struct s { int b; s() : b(0) {} s(const s &o) : b(o.b) {} }; static s o; "
    "static NOINLINE void take(s) {}", "take(o);", "o.b = 1;")
add("cxx_returned_into", "the assignment writes the member", "struct s { int a[8]; }; static s o; static NOINLINE s make() { return s{{1}}; }",
    "o = make();", "out = o.a[7];")
add("cxx_this_escapes", "the member is written after `this` was shown", "struct s; static std::atomic<s *> shown; static std::atomic<int> done; "
    "struct s { int b; NOINLINE s() : b(0) { shown.store(this, std::memory_order_release); LOCK b = 5; UNLOCK "
    "while (!done.load(std::memory_order_acquire)) ; } };", "s l; (void)l;",
    "s *p = shown.load(std::memory_order_acquire); if (p) { LOCK out = p->b; UNLOCK } done.store(1, std::memory_order_release);")
add("cxx_static_local_initialiser", "the initialiser reads x", X + "static int compute() { return x; } static NOINLINE int get() { static int v = compute(); return v; }",
    "out = get();", WRITE)
add("cxx_static_local_unguarded", "without guards both threads initialise", X + "static NOINLINE int compute() { return 3; } "
    "static NOINLINE int get() { static int v = compute(); return v; }", "get();", "get();", flags=("-fno-threadsafe-statics",), marked=False)
quiet("cxx_static_local_guarded", "the guard orders the initialisation before its uses", X + "static NOINLINE int compute() { return 3; } "
      "static NOINLINE int get() { static int v = compute(); return v; }", "(void)get();", "out = get();")
add("cxx_thread_local_constructor", "the constructor reads x when the thread first uses the variable",
    X + "struct s { int b; s() : b(x) {} }; static thread_local s o;", "int v = o.b; (void)v;", WRITE)
add("cxx_thread_local_destructor", "the destructor reads x when the thread ends", X + "struct s { int b = 1; ~s() { out = x; } }; static thread_local s o;",
    "o.b = 2;", WRITE, twin="join")
add("cxx_array_new", "every element is written", "struct s { int b; s() : b(7) {} }; alignas(s) static char raw[4 * sizeof(s)]; "
    "static s *o = reinterpret_cast<s *>(raw);", "for (int i = 0; i < 4; i++) new (raw + i * sizeof(s)) s;", "out = o[3].b;", headers=("new",))
add("cxx_operator_new", "the class's operator new counts", X + "struct s { int b; void *operator new(size_t n) { x++; return malloc(n); } "
    "void operator delete(void *p) { free(p); } };", "delete new s;", READ)

# ---- ending objects ----
add("cxx_destructor_of_local", "the destructor writes x at the end of the scope", X + "struct s { ~s() { x = 5; } };", "{ s l; (void)l; }", READ)
add("cxx_destructor_dead_store", "the destructor writes the member, though it ends", "struct s { int b = 0; NOINLINE ~s() { b = 5; } }; static s *o;",
    "o->~s();", "out = o->b;", setup="o = static_cast<s *>(malloc(sizeof *o)); new (o) s;", headers=("new",))
add("cxx_destructor_of_temporary", "the destructor writes x at the end of the expression", X + "struct s { ~s() { x = 5; } };", "s();", READ)
add("cxx_destructor_unwinding", "the destructor writes x while the exception is thrown", X + "struct s { ~s() { x = 5; } }; "
    "static NOINLINE void fail() { s l; throw 1; }", "try { fail(); } catch (int) { }", READ)
add("cxx_deleted", "delete ends the object that the partner reads", "static int *p;", "delete p;", "out = *p;", setup="p = new int(1);", errors=LIFE,
    twin="join", orders=(1,))
# The destructors use the vtable pointer: a compiler need not set it for one that does not.
BASE = ("struct base; static NOINLINE void ending(base *); "
        "struct base { int b = 0; virtual ~base() { ending(this); } virtual NOINLINE int id() { return 1; } }; "
        "struct derived : base { ~derived() { ending(this); } NOINLINE int id() override { return 2; } }; "
        "static NOINLINE void ending(base *p) { (void)p->id(); } base *o;")
add("cxx_virtual_call_in_destruction", "the destructor of the base writes the vtable pointer that the call reads", BASE, "o->~base();", "out = o->id();",
    setup="o = new (malloc(sizeof(derived))) derived;", headers=("new",), errors=LIFE, twin="join", orders=(1,))
add("cxx_virtual_call_in_construction", "the constructor writes the vtable pointer that the call reads", BASE, "new (o) derived;", "out = o->id();",
    setup="o = new (malloc(sizeof(derived))) derived;", headers=("new",))
add("cxx_typeid_in_construction", "the constructor writes the vtable pointer that typeid reads", BASE, "new (o) derived;",
    "out = typeid(*o) == typeid(base);", setup="o = new (malloc(sizeof(derived))) derived;", headers=("new", "typeinfo"))
add("cxx_virtual_deleted", "delete ends the object that the partner calls", BASE, "delete o;", "out = o->id();", setup="o = new derived;", errors=LIFE,
    twin="join", orders=(1,))
add("cxx_virtual_method_reads", "the override reads the member", "struct base { int b = 0; virtual int get() { return 0; } }; "
    "struct derived final : base { int get() override { return b; } }; static derived d; base *o = &d;", "out = o->get();", "d.b = 1;")
add("cxx_hash_of_text", "the bytes are read by a function that is in the library", "#include <functional>\n#include <string_view>\n"
    "static char text[32] = \"abcdefghijklmnopqrstuvwxyz\";", "out = (int)std::hash<std::string_view>{}(std::string_view(text, 26));", "text[20] = 'x';")
add("cxx_stream_insert", "the bytes are printed by a function that is in the library", "#include <iostream>\n#include <string_view>\n"
    "static char text[8] = \"abcdefg\";", "std::cout << std::string_view(text, 6);", "text[3] = 'x';")
add("cxx_stream_write", "the bytes are printed by a function that is in the library", "#include <iostream>\nstatic char text[8] = \"abcdefg\";",
    "std::cout.write(text, 6);", "text[3] = 'x';")
add("cxx_stream_string", "operator<< reads the string's characters", "#include <iostream>\n#include <string>\nstatic std::string text(\"abcdefg\");",
    "std::cout << text;", "text[3] = 'x';")
add("cxx_string_stream", "two insertions change the same stream", "#include <sstream>\nstatic std::ostringstream s;", "s << 1;", "s << 2.5;", marked=False)
add("cxx_string_stream_str", "str() reads what the insertion writes", "#include <sstream>\nstatic std::ostringstream s;", "s << 1;",
    "out = (int)s.str().size();", marked=False)
add("cxx_stream_extract", "the extraction writes x", "#include <sstream>\n" + X, "std::istringstream s(\"5\"); s >> x;", READ)
add("cxx_stream_extract_string", "the extraction writes the string", "#include <sstream>\nstatic std::string text(\"abc\");",
    "std::istringstream s(\"xyz\"); s >> text;", "out = text[1];")
add("cxx_stream_read", "read() writes the buffer", "#include <sstream>\nstatic char text[8];", "std::istringstream s(\"abcdefg\"); s.read(text, 7);",
    "out = text[5];")
add("cxx_hash_table_policy", "inserting writes the table's policy, even if no element is shared", "#include <unordered_set>\nstatic std::unordered_set<int> s;",
    "s.insert(1);", "out = (int)s.max_load_factor() + (int)s.size();", marked=False)
add("cxx_exception_assigned", "what() reads what the assignment writes", "#include <stdexcept>\nstatic std::runtime_error e(\"first\"), f(\"second\");",
    "out = e.what()[0];", "e = f;", marked=False, errors=LIFE)
quiet("cxx_exception_copies", "copies share their text, whose owners are counted", "#include <stdexcept>\nstatic std::runtime_error e(\"first\"), f(e);",
      "std::runtime_error l(e); (void)l;", "f = std::runtime_error(\"other\");")
add("cxx_setjmp", "setjmp() writes the buffer", "#include <csetjmp>\nstatic jmp_buf b;", "if (setjmp(b)) out = 1;", "if (setjmp(b)) abort();")
add("cxx_longjmp", "longjmp() reads the buffer that another thread writes", "#include <csetjmp>\nstatic jmp_buf b; static volatile int once;",
    "if (!setjmp(b)) { if (!once) { once = 1; longjmp(b, 1); } }", "memset(&b, 0, sizeof b);", marked=False)
add("cxx_nan", "the text is read", "#include <cmath>\nstatic char text[8] = \"1\";", "out = std::isnan(std::nan(text));", "text[0] = '2';")
add("cxx_setlocale", "the name is read", "#include <clocale>\nstatic char name[8] = \"C\";", "out = setlocale(LC_ALL, name) != nullptr;", "name[0] = 'P';")
add("cxx_dynamic_cast", "the cast looks at the object's class", "#include <new>\nstruct base { virtual ~base() {} }; struct derived : base {}; "
    "alignas(16) static char room[64]; static base *o = new (room) derived;", "out = dynamic_cast<derived *>(o) != nullptr;", "new (room) base;",
    marked=False)
add("cxx_virtual_base", "the member of the virtual base is read", "struct top { int b = 0; }; struct l : virtual top {}; struct r : virtual top {}; "
    "struct both : l, r {}; static both d; l *o = &d;", "int v = o->b; (void)v;", "d.b = 1;")
COROUTINE = """
struct task {
	struct promise_type {
		task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
		std::suspend_always initial_suspend() noexcept { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		void return_void() {}
		void unhandled_exception() {}
	};
	std::coroutine_handle<promise_type> handle;
};
static int x;
static task body() { int l = x; co_await std::suspend_always(); (void)l; }
static task later() { co_await std::suspend_always(); int l = x; (void)l; }
"""
CORO = {"flags": ("-std=c++20",), "headers": ("coroutine",)}
add("cxx_coroutine", "the body reads x when it is first resumed", COROUTINE, "task t = body(); t.handle.resume(); t.handle.destroy();", WRITE, **CORO)
add("cxx_coroutine_resumed", "the body reads x when it is resumed again", COROUTINE,
    "task t = later(); t.handle.resume(); t.handle.resume(); t.handle.destroy();", WRITE, **CORO)
add("cxx_coroutine_frame", "the parameter is in the coroutine's frame, whose address was shown", COROUTINE +
    "static std::atomic<int *> shown; static std::atomic<int> done; "
    "static task owner(int l) { shown.store(&l, std::memory_order_release); co_await std::suspend_always(); LOCK int v = l; UNLOCK (void)v; }",
    "task t = owner(0); t.handle.resume(); t.handle.resume(); while (!done.load(std::memory_order_acquire)) ; t.handle.destroy();",
    "int *p = shown.load(std::memory_order_acquire); if (p) { LOCK *p = 1; UNLOCK } done.store(1, std::memory_order_release);", **CORO)

# ---- threads of C++ ----
STD_THREAD = """
int main()
{
	int l = 0;
	std::thread t([&l] { l = 1; }); /* PARTNER */
#if TWIN
	t.join();
#endif
	int v = l;
	(void)v;
#if !TWIN
	t.join();
#endif
	return 0;
}
"""
add("cxx_thread_capture", "main() reads the variable that the thread's closure refers to", "", "", "", main=STD_THREAD, headers=("thread",),
    twin="join", orders=(0,))

GLOBAL_DESTRUCTOR = """
struct s { int b = 0; ~s() { out = b; } };
static s o;
static void work() { o.b = 1; /* PARTNER */ }
int main()
{
	std::thread t(work);
#if TWIN
	t.join();
#else
	t.detach();
#endif
	return 0;
}
"""
add("cxx_global_destructor", "the destructor reads the member after main()", "", "", "", main=GLOBAL_DESTRUCTOR, headers=("thread",), twin="join",
    orders=(0,), marked=False)

# ---- exceptions ----
add("cxx_thrown_value", "the thrown object is a copy, which reads x", X, "try { throw x; } catch (int) { }", WRITE)
add("cxx_thrown_struct", "the thrown object is a copy, which reads o", "struct s { long a[4]; int b; }; static s o;", "try { throw o; } catch (const s &) { }",
    "o.b = 1;")
add("cxx_caught_by_value", "the handler's parameter is a copy of the thrown object", "struct s { int b; }; static std::exception_ptr e;",
    "try { std::rethrow_exception(e); } catch (s l) { (void)l; }", "try { std::rethrow_exception(e); } catch (s &l) { l.b = 1; }",
    setup="try { throw s{3}; } catch (...) { e = std::current_exception(); }", headers=("exception",))
add("cxx_exception_field", "both handlers have the same object", "struct s { int b; }; static std::exception_ptr e;",
    "try { std::rethrow_exception(e); } catch (s &l) { int v = l.b; (void)v; }", "try { std::rethrow_exception(e); } catch (s &l) { l.b = 1; }",
    setup="try { throw s{3}; } catch (...) { e = std::current_exception(); }", headers=("exception",))
add("cxx_in_handler", "the handler reads x", X, "try { throw 1; } catch (int) { int v = x; (void)v; }", WRITE)
add("cxx_function_try_block", "the handler reads x", X + "static NOINLINE void f() try { throw 1; } catch (int) { out = x; }", "f();", WRITE)

# ---- std::atomic ----
add("cxx_atomic_constructed_late", "initialisation of an atomic object is not atomic", "static std::atomic<int> a;", "new (&a) std::atomic<int>(5);",
    "out = a.load();", headers=("new",))
add("cxx_atomic_expected", "a compare-exchange that fails writes `expected` plainly", "static std::atomic<int> a; static int x = 5;",
    "a.compare_exchange_strong(x, 7);", READ)
add("cxx_atomic_ref", "the other access is plain", X, "std::atomic_ref<int>(x).store(5);", READ, flags=("-std=c++20",))
add("cxx_atomic_struct_plain", "the read is not atomic", "struct s { long v[4]; }; static std::atomic<s> a;", "s l; memcpy(&l, (void *)&a, sizeof l);",
    "a.store(s{{1}});", marked=False)
quiet("cxx_atomic_struct", "both are atomic", "struct s { long v[4]; }; static std::atomic<s> a;", "s l = a.load(); (void)l;", "a.store(s{{1}});")
quiet("cxx_atomic_conversion", "the conversion is an atomic read", "static std::atomic<int> a; static int item[4];", "out = item[a];", "a = 1;")

# ---- the library ----
# Without optimisation much of std::string is in the library, which is not instrumented, and may be named.
STRING = {"expect": "named", "names": ("_ZNS", "_ZNKS", "_ZS", "std::"), "headers": ("string",), "marked": False}
add("cxx_string_element", "the character is read", "static std::string s(\"abc\");", "char v = s[1]; (void)v;", "s[1] = 'x';", **STRING)
add("cxx_string_size", "size() reads what append() writes", "static std::string s(\"abc\");", "s.append(\"d\");", "out = (int)s.size();", **STRING)
add("cxx_string_copy", "the copy reads the characters", "static std::string s(\"abc\");", "std::string l(s); (void)l;", "s[1] = 'x';", **STRING)
add("cxx_string_compare", "the comparison reads the characters", "static std::string s(\"abc\");", "out = s == \"abd\";", "s[1] = 'x';", **STRING)
add("cxx_string_assigned", "the assignment writes the characters", "static std::string s(\"abc\");", "s = \"xyz\";", "out = s[1];", **STRING)
add("cxx_vector_element", "the element is read", "static std::vector<int> v(4);", "int l = v[2]; (void)l;", "v[2] = 1;", headers=("vector",))
add("cxx_vector_size", "size() reads what push_back() writes", "static std::vector<int> v;", "v.push_back(1);", "out = (int)v.size();", headers=("vector",), marked=False)
add("cxx_vector_copy", "the copy reads the elements", "static std::vector<int> v(4);", "std::vector<int> l(v); (void)l;", "v[3] = 1;", headers=("vector",))
add("cxx_vector_bool", "neighbours of vector<bool> share a word", "static std::vector<bool> v(8);", "v[1] = true;", "v[2] = true;", headers=("vector",), marked=False)
quiet("cxx_vector_neighbours", "elements are memory locations of their own", "static std::vector<short> v(4);", "v[1] = 1;", "v[2] = 1;", headers=("vector",))
add("cxx_map_find", "find() follows the pointers that insert() writes", "static std::map<int, int> m{{1, 1}};", "m.insert({2, 2});", "out = m.find(2) != m.end();",
    headers=("map",), marked=False)
add("cxx_map_value", "the value is read", "static std::map<int, int> m{{1, 1}};", "int l = m.find(1)->second; (void)l;", "m.find(1)->second = 2;", headers=("map",), marked=False)
add("cxx_shared_ptr_contents", "the object is read", "static std::shared_ptr<int> p = std::make_shared<int>(1);", "int l = *p; (void)l;", "*p = 2;",
    headers=("memory",), marked=False)
add("cxx_shared_ptr_itself", "the copy reads the pointer that reset() writes", "static std::shared_ptr<int> p = std::make_shared<int>(1);",
    "std::shared_ptr<int> l(p); (void)l;", "p.reset();", headers=("memory",), errors=LIFE, marked=False)
quiet("cxx_shared_ptr_copies", "two copies of two pointers share only the counter, which is atomic",
      "static std::shared_ptr<int> p = std::make_shared<int>(1), q = p;", "std::shared_ptr<int> l(p); (void)l;", "q.reset();", headers=("memory",))
add("cxx_unique_ptr_contents", "the object is read", "static std::unique_ptr<int> p(new int(1));", "int l = *p; (void)l;", "*p = 2;", headers=("memory",), marked=False)
add("cxx_function_called", "the call reads what the assignment writes", "static std::function<int()> f = [] { return 1; };", "f = [] { return 2; };",
    "out = f();", headers=("functional",), errors=LIFE, marked=False)
add("cxx_optional", "the assignment writes the value", "static std::optional<int> o(1);", "o = 5;", "out = *o;", headers=("optional",), marked=False)
add("cxx_variant", "the assignment writes the index", "static std::variant<int, char> o(1);", "o = 'x';", "out = (int)o.index();", headers=("variant",), marked=False)
add("cxx_pair_swap", "the exchange writes both", "static std::pair<int, int> a, b;", "std::swap(a, b);", "out = b.second;", headers=("utility",), marked=False)
add("cxx_exchange", "std::exchange() writes x", X, "(void)std::exchange(x, 0);", READ, headers=("utility",))
add("cxx_sort", "the algorithm moves the elements", "static int a[3] = {3, 1, 2};", "std::sort(a, a + 3);", "out = a[2];", headers=("algorithm",))
add("cxx_copy", "std::copy() reads the elements", "static int a[16];", "int l[16]; std::copy(a, a + 16, l); (void)l;", "a[15] = 1;", headers=("algorithm",))
add("cxx_fill", "std::fill() writes the elements", "static char a[16];", "std::fill(a, a + 16, 0);", "out = a[15];", headers=("algorithm",))
add("cxx_accumulate", "the sum reads the elements", "static int a[16];", "(void)std::accumulate(a, a + 16, 0);", "a[15] = 1;", headers=("numeric",))
add("cxx_min_of_references", "std::min() reads both to compare them", X + "static int y;", "const int &r = std::min(x, y); (void)r;", WRITE, headers=("algorithm",))
add("cxx_bitset", "neighbours of a bitset share a word", "static std::bitset<8> b;", "b[1] = true;", "b[2] = true;", headers=("bitset",), marked=False)
add("cxx_array", "the element is read", "static std::array<int, 4> a;", "int l = a[2]; (void)l;", "a[2] = 1;", headers=("array",))
