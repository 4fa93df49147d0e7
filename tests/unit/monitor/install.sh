#!/bin/sh
# install.sh BUILD CMAKE HERE -- the installed library, as a user finds it.
build=$1
cmake=$2
here=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
DESTDIR= "$cmake" --install "$build" --prefix "$folder/usr" >"$folder/log" 2>&1 || {
	cat "$folder/log"
	exit 1
}
cd "$folder" || exit 1
lib=$(dirname "$(find usr -name liblinchpin-monitor.a)")
[ -n "$lib" ] || { echo "no static library"; exit 1; }
failures=0
fail() { echo "FAIL: $1"; failures=$((failures + 1)); }

# The shared and the static library export the functions of the header, and nothing else.
sed -n 's/^.*LP_MONITOR_API.*[ *]\(lp_monitor_[a-z_]*\)[(\[].*/\1/p' usr/include/linchpin/monitor.h | sort -u >api
nm -D --defined-only "$lib/liblinchpin-monitor.so" | sed 's/.* //' | sort -u >shared
nm -g --defined-only "$lib/liblinchpin-monitor.a" | sed -n 's/.* [A-Z] //p' | sort -u >static
grep -vE '^(__asan|__ubsan|__odr_asan)' shared | diff api - >differ || { fail "exported symbols"; cat differ; }
grep -vE '^(__asan|__ubsan|__odr_asan)' static | diff api - >differ || { fail "symbols of the archive"; cat differ; }

# From C and C++, with the flags of pkg-config if it is installed, linked in both ways.
flags="-I$folder/usr/include"
libs="-L$folder/$lib -llinchpin-monitor"
if command -v pkg-config >/dev/null; then
	PKG_CONFIG_PATH=$folder/$lib/pkgconfig
	export PKG_CONFIG_PATH
	flags=$(pkg-config --define-variable=prefix="$folder/usr" --cflags linchpin-monitor) || fail "pkg-config"
	libs=$(pkg-config --define-variable=prefix="$folder/usr" --libs linchpin-monitor)
fi
sanitize=
grep -q '^LP_SANITIZE:BOOL=ON' "$build/CMakeCache.txt" && sanitize=-fsanitize=address,undefined
cp "$here/user.c" user.c
cp "$here/user.c" user.cc
${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror $sanitize $flags user.c -o user_c $libs -pthread || fail "C"
LD_LIBRARY_PATH=$folder/$lib ./user_c >out 2>&1 || { fail "C, run"; cat out; }
${CC:-cc} -std=c11 $sanitize $flags user.c -o user_static "$lib/liblinchpin-monitor.a" -lm -pthread || fail "C, static"
./user_static >out 2>&1 || { fail "C, static, run"; cat out; }
if command -v c++ >/dev/null; then
	c++ -std=c++11 -Wall -Wextra -Werror $sanitize $flags user.cc -o user_cc "$lib/liblinchpin-monitor.a" -lm -pthread || fail "C++"
	./user_cc >out 2>&1 || { fail "C++, run"; cat out; }
fi

# With CMake.
mkdir project
cp user.c project
cat >project/CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C)
find_package(linchpin-monitor REQUIRED)
add_executable(user user.c)
target_link_libraries(user PRIVATE linchpin::monitor)
add_executable(user_static user.c)
target_link_libraries(user_static PRIVATE linchpin::monitor_static)
EOF
"$cmake" -S project -B project/build -DCMAKE_PREFIX_PATH="$folder/usr" -DCMAKE_C_FLAGS="$sanitize" >log 2>&1 &&
	"$cmake" --build project/build >>log 2>&1 && ./project/build/user >>log 2>&1 &&
	./project/build/user_static >>log 2>&1 || { fail "CMake"; tail -n 20 log; }
echo "$failures failures"
[ "$failures" = 0 ]
