#!/bin/sh
# SPDX-License-Identifier: MIT
# names.sh CLANG LINCHPIN-FE -- the texts of sites: names and types of variables, from debug information.
set -u
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT

# Each access is followed by its expected name and type.
cat > "$folder/names.c" <<'EOF'
#include <stdatomic.h>

struct part { int low, high; };
typedef struct node { struct part part; _Atomic(struct node *) next; } node;
struct { long count; node nodes[3]; } all;
int numbers[4], *pointer;
union { int whole; char bytes[4]; } either;

void use(node *n, int i, int **deep)
{
	int local;

	pointer = &local;               /* pointer: int * */
	local = 1;                      /* local: int */
	n->part.high = i;               /* n->part.high: int */
	atomic_store(&n->next, n);      /* n->next: _Atomic(node *) */
	all.count++;                    /* all.count: long */
	all.nodes[2].part.high = 1;     /* all.nodes[2].part.high: int */
	all.nodes[i].part.low = 1;      /* all.nodes[...].part.low: int */
	numbers[3] = 2;                 /* numbers[3]: int */
	pointer[2] = 2;                 /* pointer[2]: int */
	*pointer = 3;                   /* *pointer: int */
	either.whole = 4;               /* either */
	**deep = 5;                     /* *deep: int * */
	n->next->part.low = 6;          /* n->next->part.low: int */
}
EOF

"$1" -g -O1 -Xclang -disable-llvm-passes -emit-llvm -c "$folder/names.c" -o "$folder/names.bc" &&
	"$2" --print -o "$folder/names.o" "$folder/names.bc" 2> "$folder/print" || exit 1
sed -n 's/^@lp\.texts = .* c"\(.*\)", align.*/\1/p' "$folder/print" | sed 's/\\00/\n/g' > "$folder/texts"
failures=0
sed -n 's|.*/\* \(.*\) \*/$|\1|p' "$folder/names.c" > "$folder/expected"
while IFS= read -r line; do
	for text in "${line%%: *}" "${line##*: }"; do
		grep -qxF -e "$text" "$folder/texts" || { echo "no text '$text'"; failures=$((failures + 1)); }
	done
done < "$folder/expected"
test "$(wc -l < "$folder/expected")" -gt 10 && test $failures = 0
