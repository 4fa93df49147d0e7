#!/usr/bin/env bash
# package.sh BUILD CMAKE -- the Debian package, unpacked and used.
. "$(cd "$(dirname "$0")" && pwd)/lib.sh"
cpack=$(dirname "$cmake")/cpack
if ! command -v dpkg-deb >/dev/null || [ ! -x "$cpack" ]; then
	echo "skipped: no dpkg-deb or no cpack"
	exit 0
fi
status 0 "$cpack" --config "$build/CPackConfig.cmake" -G DEB -B "$folder/packages"
deb=$(echo packages/linchpin_*.deb)
[ -f "$deb" ] || { fail "no package"; finish; }
for field in Package:linchpin Depends:libdw1 Depends:clang-19 Depends:binutils; do
	dpkg-deb -f "$deb" "${field%:*}" | grep -q "${field#*:}" || fail "$field"
done
# MPI is required by a separate package.
! dpkg-deb -f "$deb" Depends Recommends | grep -qi mpi || fail "linchpin depends on MPI: $(dpkg-deb -f "$deb" Depends)"
! dpkg-deb -c "$deb" | grep -q linchpin-mpi || fail "linchpin-mpi is in the package linchpin"
if [ -x "$build/linchpin-mpi" ]; then
	mpi=$(echo packages/linchpin-mpi_*.deb)
	dpkg-deb -f "$mpi" Depends | grep -q "linchpin (= .*mpi" || fail "linchpin-mpi depends on $(dpkg-deb -f "$mpi" Depends)"
	dpkg-deb -c "$mpi" | grep -q "libexec/linchpin/linchpin-mpi$" || fail "no linchpin-mpi in its package"
	[ "$(dpkg-deb -c "$mpi" | grep -c '^-')" = 1 ] || fail "more than linchpin-mpi in its package"
fi
dpkg-deb -x "$deb" unpacked
for file in bin/linchpin include/linchpin.h include/linchpin.hpp include/linchpin/model.hpp include/linchpin/spec.h share/man/man1/linchpin.1 \
	lib/cmake/linchpin/linchpin-config.cmake share/bash-completion/completions/linchpin; do
	[ -n "$(find unpacked/usr -path "*/$file")" ] || [ -n "$(find unpacked/usr -path "*/${file#lib/}")" ] ||
		fail "no $file in the package"
done
! find unpacked | grep -q "$build" || fail "the build tree is in the package"
cd project || exit 1
status 0 ../unpacked/usr/bin/linchpin check harness.c --ops 2 -- -Ilib counter.c
status 1 ../unpacked/usr/bin/linchpin check harness.c --trace t -- -Ilib -DBUG counter.c
grep -q "counter.c:7" out || fail "no source lines"
status 1 ../unpacked/usr/bin/linchpin replay t

# Other build systems find linchpin in it: CMake adds a test, make uses the compiler.
cat >CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C)
find_package(linchpin 0.1 REQUIRED)
enable_testing()
linchpin_add_check(NAME right SOURCES harness.c counter.c SPEC counter OPS 3 INCLUDES lib)
C
status 0 "$cmake" -S . -B build -DCMAKE_PREFIX_PATH="$folder/unpacked/usr"
(cd build && status 0 "$(dirname "$cmake")/ctest"; grep -q "100% tests passed" out) || fail "linchpin_add_check"
cat >other.c <<'C'
int other(int x) { return x + 1; }
C
cat >Makefile <<'M'
CPPFLAGS = -Ilib
libcounter.a: counter.o other.o
	$(AR) rcs $@ $^
M
status 0 make CC="$folder/unpacked/usr/bin/linchpin cc" libcounter.a
status 0 ../unpacked/usr/bin/linchpin check harness.c --ops 2 -- -Ilib libcounter.a
[ -x ../unpacked/usr/bin/linchpin-cc ] && [ -x ../unpacked/usr/bin/linchpin-c++ ] || fail "no linchpin-cc"
finish
