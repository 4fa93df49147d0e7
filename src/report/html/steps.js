/* steps.js -- going through an execution: the graph, the source beside it, and what is known
 * of the step. */

/* "queue.c:31" */
function splitPlace(where) {
	const match = /^(.*):(\d+)$/.exec(where || "");
	return match ? { file: match[1], line: Number(match[2]) } : null;
}

/* The source of a place; `here` has what goes into the margin. */
function drawSource(place, here) {
	const source = place && data.sources.find((s) => s.file === place.file);
	if (!source)
		return element("p", { class: "faint" }, place ? `${place.file} could not be read` : "no source line is known");
	const widest = Math.max(2, ...[...here.values()].map((names) => names.join(" ").length));
	return element("pre", { class: "source", tabindex: 0, "aria-label": `source of ${place.file}`, style: `--who: ${Math.min(14, widest) + 1}ch` },
		...source.lines.map((text, i) => {
			const line = source.first + i, who = here.get(`${place.file}:${line}`) || [];
			return element("div", { class: line === place.line ? "current" : null, "data-line": line },
				element("span", { class: "number" }, line),
				element("span", { class: "who" }, who.join(" ")), text || " ");
		}));
}

/* The writes to a step's location in coherence order, as far as steps tell. */
function coherence(steps, step) {
	const next = new Map();
	steps.forEach((other, i) => {
		if (other.overwrites !== undefined && other.place === step.place)
			next.set(other.overwrites, i);
	});
	const order = [];
	for (let at = next.get("initial"); at !== undefined && order.length < steps.length; at = next.get(at))
		order.push(at);
	return order;
}

function factsOf(steps, i, onPick) {
	const step = steps[i], rows = [];
	const link = (j) => j === "initial" ? "the initial value" :
		element("button", { class: "chip", onclick: () => onPick(j) }, `${j + 1}  T${steps[j].thread} ${stepText(steps[j])}`);
	if (step.location !== undefined)
		rows.push(["location", step.location]);
	if (step.read !== undefined)
		rows.push(["read", fullValue(step.read)]);
	if (step.wrote !== undefined)
		rows.push(["wrote", fullValue(step.wrote)]);
	if (step.reads_from !== undefined)
		rows.push(["reads from", link(step.reads_from)]);
	const over = step.reads_from === undefined ? -1 :
		steps.findIndex((other, j) => j !== i && other.overwrites === step.reads_from && other.place === step.place);
	if (over >= 0)
		rows.push(["overwritten by", link(over)]);
	if (step.overwrites !== undefined)
		rows.push(["overwrites", link(step.overwrites)]);
	if (step.happens_after)
		rows.push(["happens after", element("span", {}, ...step.happens_after.map(link))]);
	const order = step.place === undefined ? [] : coherence(steps, step);
	const at = Math.max(0, order.indexOf(step.overwrites === undefined ? step.reads_from : i));
	const near = order.slice(Math.max(0, at - 4), at + 5).map((j) => steps[j].wrote === undefined ? `step ${j + 1}` : `${steps[j].wrote} (step ${j + 1})`);
	if (order.length)
		rows.push(["writes there", (at > 4 ? "..., " : "initial, ") + near.join(", ") + (at + 5 < order.length ? ", ..." : "")]);
	return table(rows);
}

function drawTable(steps, onPick) {
	const rows = steps.map((step, i) => element("tr", { onclick: () => onPick(i) },
		...[i + 1, `T${step.thread}`, step.caller ? `${step.caller} via ${step.where}` : step.where || "", step.function || "", stepText(step),
			step.reads_from === undefined ? "" : step.reads_from === "initial" ? "initial value" : `step ${step.reads_from + 1}`]
			.map((text) => element("td", {}, text))));
	return { rows, element: element("details", { id: "list" }, element("summary", {}, "all steps as a table"),
		element("div", { class: "scroll" }, element("table", {},
			element("thead", {}, element("tr", {}, ...["step", "thread", "where", "function", "what", "reads from"]
				.map((name) => element("th", { scope: "col" }, name)))),
			element("tbody", {}, ...rows)))) };
}

function showSteps(result) {
	const violation = result.violation || result.suspicion, steps = violation.steps;
	const end = violation.where === undefined ? null : { kind: result.kind || "here", thread: violation.thread };
	const most = steps.length - 1;
	const decisive = violation.decisive;
	let current = decisive.step;
	nameThings(steps);
	const graph = drawGraph(violation, end, go), list = drawTable(steps, go);
	const where = element("strong", { id: "step" }), what = element("div", { class: "facts", id: "facts" });
	const source = element("div", { class: "scroll", id: "source" });
	const slider = element("input", { type: "range", min: 1, max: steps.length, "aria-label": "step",
		oninput: () => go(Number(slider.value) - 1) });

	function go(i) {
		current = Math.min(most, Math.max(0, i));
		const step = steps[current], place = splitPlace(step.where), here = new Map();
		const last = new Map(); /* of each thread, the last step so far */
		for (let j = 0; j <= current; j++)
			last.set(steps[j].thread, steps[j].where);
		for (const [thread, at] of last)
			here.set(at, [...(here.get(at) || []), `T${thread}`]);
		for (const at of [violation.where, violation.other_where])
			here.set(at, [...(here.get(at) || []), "\u2717"]);
		where.textContent = `step ${current + 1} of ${steps.length}: T${step.thread} ${step.function || ""} ${step.where || ""}${step.caller ? `, called at ${step.caller}` : ""}`;
		what.replaceChildren(element("p", { class: "mono" }, stepText(step)),
			current === decisive.step && decisive.why ? element("p", { class: "decisive", id: "decisive" }, `\u2605 decisive: ${decisive.why}`) : "",
			factsOf(steps, current, go));
		source.replaceChildren(drawSource(place, here));
		const line = source.querySelector(".current");
		if (line)
			source.scrollTop = line.offsetTop - source.offsetTop - source.clientHeight / 3;
		slider.value = current + 1;
		list.rows.forEach((row, j) => row.classList.toggle("current", j === current));
		graph.select(current);
		markCall(step.thread);
		say(`step ${current + 1}, thread ${step.thread}: ${stepText(step)}`);
	}
	const move = (by) => () => go(current + by);
	onKey(["ArrowRight", "ArrowDown"], "next step", move(1));
	onKey(["ArrowLeft", "ArrowUp"], "step before", move(-1));
	onKey(["Home"], "first", () => go(0));
	onKey(["End"], "last", () => go(most));
	onKey(["d"], "the decisive step", () => go(decisive.step));
	onKey(["+", "="], "larger", () => graph.zoom(1.2));
	onKey(["-"], "smaller", () => graph.zoom(1 / 1.2));
	onKey(["e"], "all edges or none", graph.all);
	for (const [kind, relation] of Object.entries(RELATIONS))
		onKey([relation.key], `${kind}: ${relation.name}`, () => graph.toggle(kind));
	const part = section("The execution",
		element("div", { class: "tools", role: "toolbar", "aria-label": "steps and relations" },
			button("|\u25c0", "first step", () => go(0)), button("\u25c0", "step before", move(-1)),
			button("\u25b6", "next step", move(1)), button("\u25b6|", "last step", () => go(most)), slider,
			...graph.buttons, button("\u2212", "smaller", () => graph.zoom(1 / 1.2)), button("+", "larger", () => graph.zoom(1.2))),
		element("div", { class: "sides" }, graph.frame, element("div", {}, where, source, what)),
		list.element);
	addEventListener("beforeprint", () => { list.element.open = true; });
	const firstOf = (thread) => {
		const first = steps.findIndex((step) => step.thread === thread);
		if (first >= 0)
			go(first);
	};
	return { part, start: () => { graph.fit(); go(decisive.step); }, firstOf };
}
