/* coverage.js -- what was reached, beside the source. */

const REACHED = { yes: "\u2713", no: "\u2717", fails: "\u2013" };

function share(name, sum) {
	const missed = sum.all - sum.reached;
	return element("span", { class: missed ? "chip missed" : "chip" }, `${sum.reached} of ${count(sum.all, name)}`);
}

/* What is to be said below a line: ways that were not taken, and what was never seen. */
function notesOf(file, coverage) {
	const notes = new Map();
	const add = (line, text) => notes.set(line, [...(notes.get(line) || []), text]);
	for (const branch of file.branches) {
		const decided = branch.ways.some((way) => way.reached);
		const alone = file.branches.filter((b) => b.line === branch.line).length === 1;
		for (const way of decided ? branch.ways : [])
			if (!way.reached && !way.fails)
				add(branch.line, `${alone ? "" : `column ${branch.column}: `}never to ${way.label}`);
	}
	for (const fact of coverage.operations)
		if (fact.path === file.path)
			add(fact.line, `${fact.what} never ${fact.never}`);
	for (const f of file.functions)
		if (!f.reached)
			add(f.line, `${f.name}() is never called`);
	return notes;
}

function showCovered(file, text, coverage) {
	const state = new Map(file.lines.map((l) => [l.line, l.reached ? "yes" : l.fails ? "fails" : "no"]));
	const words = { yes: "reached", no: "not reached", fails: "only if something is wrong" };
	const notes = notesOf(file, coverage);
	const rows = text.flatMap((line, i) => {
		const is = state.get(i + 1);
		const row = element("div", { class: is ? `covered ${is}` : null, title: is ? words[is] : null },
			element("span", { class: "mark", "aria-label": is ? words[is] : null }, REACHED[is] || ""),
			element("span", { class: "number" }, String(i + 1)), element("span", {}, line || " "));
		return [row, ...(notes.get(i + 1) || []).map((note) => element("div", { class: "note" },
			element("span", { class: "mark" }), element("span", { class: "number" }), element("span", {}, note)))];
	});
	const missed = file.lines.filter((l) => !l.reached && !l.fails).length;
	return element("details", { open: missed > 0 || notes.size > 0 },
		element("summary", {}, element("code", {}, file.file), missed ? `: ${count(missed, "line")} not reached` : ": all lines reached"),
		element("div", { class: "scroll", tabindex: 0 }, element("pre", { class: "source" }, ...rows)));
}

function showCalls(calls) {
	return section("Arguments and results that were seen", table(calls.map((call) => [`${call.method}(${call.arguments.join("; ")})`,
		call.results === undefined ? "never returned" : call.results || "returns nothing"])));
}

function showCoverage(coverage, sources) {
	const text = new Map(sources.map((source) => [source.path, source.lines]));
	return [section("Coverage", element("p", { class: "chips" }, share("line", coverage.lines), share("branch", coverage.branches),
		share("function", coverage.functions)),
	element("p", { class: "faint" }, `${REACHED.yes} reached by some execution, ${REACHED.no} by none, ${REACHED.fails} not counted: it ends in an error`),
	coverage.unknown ? element("p", { class: "unsure" }, coverage.unknown) : null,
	...coverage.files.map((file) => showCovered(file, text.get(file.path) || [], coverage))),
	coverage.calls.length ? showCalls(coverage.calls) : null];
}
