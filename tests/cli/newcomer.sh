#!/usr/bin/env bash
# newcomer.sh LINCHPIN -- docs/zoo.md: a structure is added with the file and the lines that the page shows.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

# fence WORD: prints what the page has between ```WORD and ```.
fence() {
	sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$here/../../docs/zoo.md" | sed '1d;$d'
}
mkdir -p zoo/expected.d
fence c >zoo/onestack.c
fence tsv >zoo/expected.d/onestack.tsv
[ "$(wc -l <zoo/expected.d/onestack.tsv)" = 3 ] || { echo "no table in docs/zoo.md"; exit 1; }
expect 0 study --zoo zoo onestack; err_empty; out_has "2 of 2 rows match"

# One line in an existing table is enough; a wrong line is detected.
cp "$here/../../zoo/expected.d/collect.tsv" zoo/expected.d/
tail -n 1 zoo/expected.d/onestack.tsv >>zoo/expected.d/collect.tsv
rm zoo/expected.d/onestack.tsv
expect 0 study --zoo zoo onestack; out_has "1 of 1 rows match"
sed -i 's/not linearizable\t3\tfast\t-\ta value/not linearizable\t2\tfast\t-\ta value/' zoo/expected.d/collect.tsv
expect 1 study --zoo zoo onestack; out_has "0 of 1 rows match"

# The tests read every table of the folder.
grep -q 'GLOB tables CONFIGURE_DEPENDS.*expected.d/\*.tsv' "$here/../../zoo/CMakeLists.txt" || { echo "tables have to be named"; exit 1; }
finish
