/* graph.js -- the execution graph: a column for each thread, a row for each step, and the
 * relations between them, each of which can be switched on and off. */

const RELATIONS = {
	po: { key: "p", name: "program order" },
	rf: { key: "r", name: "reads from" },
	co: { key: "c", name: "coherence: overwrites" },
	hb: { key: "h", name: "happens before, between threads" },
	fr: { key: "f", name: "reads what that overwrites" },
};

/* Long values, which are numbers in hexadecimal, are numbered: the graph has no room for them. */
const valuesNamed = new Map();

function nameThings(steps) {
	for (const step of steps)
		for (const value of [step.read, step.wrote])
			if (value !== undefined && value.length > 10 && value.startsWith("0x") && !valuesNamed.has(value))
				valuesNamed.set(value, `@${valuesNamed.size + 1}`);
}

function fullValue(value) {
	return valuesNamed.has(value) ? `${value}, in the graph ${valuesNamed.get(value)}` : value;
}

function stepText(step) {
	let text = step.action;
	if (step.location !== undefined)
		text += ` ${step.location.replace(/ \(.*/, "")}`;
	if (step.read !== undefined && step.wrote !== undefined)
		text += `: ${step.read} \u2192 ${step.wrote}`;
	else if (step.read !== undefined || step.wrote !== undefined)
		text += ` = ${step.read ?? step.wrote}`;
	if (step.order !== undefined)
		text += ` (${step.order})`;
	return step.note === undefined ? text : `${text}, ${step.note}`;
}

/* All edges between steps, from the relations that the steps have.  A read from the initial
 * value has no edge: its step says so. */
function edgesOf(steps) {
	const edges = [], last = new Map(), next = new Map();
	steps.forEach((step, i) => {
		if (step.overwrites !== undefined)
			next.set(step.overwrites === "initial" ? `initial ${step.place}` : step.overwrites, i);
	});
	steps.forEach((step, i) => {
		if (last.has(step.thread))
			edges.push({ kind: "po", from: last.get(step.thread), to: i });
		last.set(step.thread, i);
		if (typeof step.reads_from === "number")
			edges.push({ kind: "rf", from: step.reads_from, to: i });
		if (typeof step.overwrites === "number")
			edges.push({ kind: "co", from: step.overwrites, to: i });
		for (const from of step.happens_after || [])
			edges.push({ kind: "hb", from, to: i });
		if (step.reads_from !== undefined) {
			const over = next.get(step.reads_from === "initial" ? `initial ${step.place}` : step.reads_from);
			if (over !== undefined && over !== i)
				edges.push({ kind: "fr", from: i, to: over });
		}
	});
	return edges;
}

const ROW = 32, BOX = 22, GAP = 70, STAIR = 64, TOP = 10, HEAD = 24;
const SHORT = { relaxed: "rlx", acquire: "acq", release: "rel", acq_rel: "ar", seq_cst: "sc" };

/* For a box of the graph, which has little room. */
function shortText(step, i) {
	return `${i + 1}  ${stepText({ ...step, order: SHORT[step.order] || step.order,
		read: valuesNamed.get(step.read) || step.read, wrote: valuesNamed.get(step.wrote) || step.wrote })}`;
}

/* How much room the graph has, about: the source stands beside it where the page is wide. */
function graphRoom() {
	return (innerWidth - 60) * (innerWidth > 900 ? 0.6 : 1);
}

/* Columns as wide as their texts want, within reason.  No two events share a row: where there is
 * no room for all columns side by side they move over each other, like stairs. */
function layOut(steps, end) {
	const threads = [...new Set(steps.map((step) => step.thread).concat(end ? [end.thread] : []))].sort((a, b) => a - b);
	const columns = new Map();
	let x = 40, last = 0;
	for (const thread of threads) {
		const lengths = steps.map((step, i) => step.thread === thread ? shortText(step, i).length + 1 : 0);
		const width = lengths.reduce((most, length) => Math.max(most, Math.min(46, length)), 14) * CHARACTER + 8;
		columns.set(thread, { x, width });
		last = x;
		x += width + GAP;
	}
	const wanted = Math.max(...[...columns.values()].map((column) => column.width));
	const share = Math.min(1, Math.max((graphRoom() / 0.95 - 80 - wanted) / last, STAIR * (threads.length - 1) / last));
	for (const column of columns.values())
		column.x = 40 + (column.x - 40) * share;
	const right = Math.max(...[...columns.values()].map((column) => column.x + column.width));
	const rows = steps.length + (end ? 1 : 0);
	return { columns, width: right + 40, height: TOP + rows * ROW + 10 };
}

/* From side to side between columns; within one, round the left side. */
function edgePath(edge, place, steps) {
	const a = place(edge.from), b = place(edge.to);
	if (edge.kind === "po")
		return `M${a.x + 12} ${a.y + BOX} L${b.x + 12} ${b.y}`;
	const y1 = a.y + BOX / 2, y2 = b.y + BOX / 2 + { rf: -4, co: 4, hb: 0, fr: 7 }[edge.kind];
	if (steps[edge.from].thread === steps[edge.to].thread) {
		const out = Math.min(34, 10 + 3 * Math.abs(edge.to - edge.from)) + { rf: 0, co: 5, hb: 0, fr: 9 }[edge.kind];
		return `M${a.x} ${y1} C${a.x - out} ${y1} ${b.x - out} ${y2} ${b.x} ${y2}`;
	}
	const right = a.x < b.x, x1 = right ? a.x + a.width : a.x, x2 = right ? b.x : b.x + b.width;
	if (right ? x1 > x2 - 20 : x1 < x2 + 20) { /* one above the other: out of the bottom, or the top */
		const down = a.y < b.y, from = right ? x2 - 24 - 6 * (edge.from % 4) : Math.max(a.x + 8, x2 + 24);
		return `M${from} ${down ? a.y + BOX : a.y} C${from} ${y2} ${from} ${y2} ${x2} ${y2}`;
	}
	const bend = (right ? 1 : -1) * Math.max(30, Math.abs(x2 - x1) / 2);
	return `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

function drawEvent(step, i, box, onPick) {
	const shown = shortText(step, i), most = Math.floor((box.width - 8) / CHARACTER);
	return svg("g", { class: `event${step.wrote === undefined ? "" : " write"}`, role: "button", tabindex: -1,
		id: `event-${i}`, "aria-label": `step ${i + 1}, thread ${step.thread}: ${stepText(step)}`,
		onclick: () => onPick(i) },
	svg("title", {}, `${stepText(step)}\n${step.where || ""} ${step.function || ""}`),
	svg("rect", { x: box.x, y: box.y, width: box.width, height: BOX }),
	svg("text", { x: box.x + 6, y: box.y + 15 },
		shown.length > most ? shown.slice(0, most - 1) + "\u2026" : shown));
}

function drawGraph(steps, end, onPick) {
	const { columns, width, height } = layOut(steps, end);
	const place = (i) => ({ ...columns.get(steps[i].thread), y: TOP + i * ROW });
	const edges = edgesOf(steps), seen = { po: true, rf: true, co: true, hb: false, fr: false };
	const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", id: "graph",
		"aria-label": "the execution graph, a column for each thread" },
	svg("defs", {}, ...Object.keys(RELATIONS).map(arrowHead)));
	const heads = svg("svg", { class: "heads", width, height: HEAD, viewBox: `0 0 ${width} ${HEAD}`, "aria-hidden": true });
	for (const [thread, column] of columns)
		heads.append(svg("text", { x: column.x, y: 16, "font-weight": "bold" }, `T${thread}`));
	const layers = {};
	for (const kind of Object.keys(RELATIONS))
		picture.append(layers[kind] = svg("g", { "data-relation": kind }));
	for (const edge of edges) {
		edge.path = svg("path", { class: `edge ${edge.kind}`, "marker-end": `url(#head-${edge.kind})`,
			"data-from": edge.from, "data-to": edge.to, d: edgePath(edge, place, steps) },
		svg("title", {}, `${RELATIONS[edge.kind].name}: from step ${edge.from + 1} to step ${edge.to + 1}`));
		layers[edge.kind].append(edge.path);
	}
	const events = steps.map((step, i) => picture.appendChild(drawEvent(step, i, place(i), onPick)));
	if (end) {
		const box = { ...columns.get(end.thread), y: TOP + steps.length * ROW };
		picture.append(svg("g", { class: "event end" },
			svg("rect", { x: box.x, y: box.y, width: box.width, height: BOX }),
			svg("text", { x: box.x + 6, y: box.y + 15 }, `\u21d2 ${end.kind}`)));
	}

	const buttons = Object.entries(RELATIONS).map(([kind, relation]) =>
		element("button", { class: kind, "data-kind": kind, title: `${relation.name} (key ${relation.key})`,
			onclick: () => toggle(kind) }, kind));
	function toggle(kind, on = !seen[kind]) {
		seen[kind] = on;
		layers[kind].style.display = on ? "" : "none";
		buttons.find((b) => b.dataset.kind === kind).setAttribute("aria-pressed", on);
		say(`${RELATIONS[kind].name} ${on ? "shown" : "hidden"}`);
	}
	Object.keys(RELATIONS).forEach((kind) => toggle(kind, seen[kind]));

	let scale = 1;
	function zoom(factor) {
		scale = Math.min(3, Math.max(0.2, scale * factor));
		for (const [part, high] of [[heads, HEAD], [picture, height]]) {
			part.setAttribute("width", width * scale);
			part.setAttribute("height", high * scale);
		}
	}
	const frame = element("div", { class: "scroll" }, heads, picture);
	const fit = () => zoom(Math.min(1, Math.max(0.6, (frame.clientWidth - 4) / width)));
	function select(current) {
		events.forEach((event, i) => {
			event.classList.toggle("current", i === current);
			event.classList.toggle("later", i > current);
		});
		for (const edge of edges)
			edge.path.classList.toggle("current", edge.from === current || edge.to === current);
		const box = place(current), middle = box.y * scale;
		if (middle < frame.scrollTop + HEAD || middle > frame.scrollTop + frame.clientHeight - 50)
			frame.scrollTop = middle - frame.clientHeight / 2;
		if (box.x * scale < frame.scrollLeft || (box.x + box.width) * scale > frame.scrollLeft + frame.clientWidth)
			frame.scrollLeft = box.x * scale - 40;
	}
	const all = () => {
		const on = !Object.values(seen).some(Boolean);
		Object.keys(RELATIONS).forEach((kind) => toggle(kind, on));
	};
	return { frame, buttons, toggle, all, zoom, fit, select };
}
