#!/bin/sh
# exports.sh LINCHPIN ROOT -- the executable exports all hooks and shims, and no other
# functions of linchpin, because the user's code shares its address space.
linchpin=$1
frontend=$2/src/frontend
abi=$frontend/abi.h
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

# listed MACRO PREFIX FILE: prints the names in a table.
listed() { sed -n "s/^$1(\([A-Za-z0-9_]*\)).*/$2\1/p" "$3"; }

{
	for table in shims hooks; do
		listed LP_SHIM lp_shim_ "$frontend/$table.def"
	done
	# Hooks: those that exist once, and those that exist for each size.
	sed -n 's/^[a-z][a-z_ ]* \(lp_[a-z0-9_]*\)(.*/\1/p' "$abi"
	for size in 1 2 4 8 16; do
		sed -n "s/^	[a-z]* \(lp_[a-z_]*\)##n(.*/\1$size/p" "$abi"
	done
	# For debuggers (src/runtime/coroutines/debug.c).
	printf 'lp_debug_%s\n' begin names words
	# Symbols that libstdc++ must find in linchpin rather than in its own library.
	echo _ZSt9terminatev
	printf '__cxa_%s\n' allocate_exception free_exception get_globals get_globals_fast
} | sort -u >known
# Symbols that sanitizers, the C runtime and the linker add; all forms of new and delete.
nm -D --defined-only "$linchpin" | sed 's/.* //; s/@.*//' | sort -u | grep -vE \
	-e '^(__asan|__ubsan|__sanitizer|__lsan|__interceptor|___interceptor|_?_?sancov)' \
	-e '^(_end|_edata|__bss_start|__data_start|data_start|_start|_init|_fini|main)$' \
	-e '^(_IO_stdin_used|stdin|stdout|stderr|environ|__libc_single_threaded)$' \
	-e '^_Z(n[aw]m|d[al]Pv)' >exported
comm -13 known exported >unknown
comm -23 known exported >missing
[ -s exported ] || { echo "nothing is exported"; exit 1; }
[ -s unknown ] && { echo "exported, and in no table:"; cat unknown; }
[ -s missing ] && { echo "in a table, and not exported:"; cat missing; }
echo "$(wc -l <exported) symbols"
[ ! -s unknown ] && [ ! -s missing ]
