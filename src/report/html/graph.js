/* graph.js -- the execution graph: a column for each thread, a row for each step, and the
 * relations between them, each of which can be switched on and off. */

const RELATIONS = {
	po: { key: "p", name: "program order" },
	rf: { key: "r", name: "reads from" },
	co: { key: "c", name: "coherence: overwrites" },
	hb: { key: "h", name: "happens before, between threads" },
	fr: { key: "f", name: "reads what that overwrites" },
};

/* The write of another thread, earlier in the list, that overwrites what step i reads; -1: the value is not old. */
function missedBy(steps, i) {
	const step = steps[i];
	if (step.reads_from === undefined || step.read === undefined)
		return -1;
	return steps.findIndex((other, j) => j < i && other.wrote !== undefined && other.overwrites === step.reads_from &&
		other.place === step.place && other.thread !== step.thread);
}

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
				edges.push({ kind: "fr", from: i, to: over, minor: missedBy(steps, i) !== over });
		}
	});
	return edges;
}

const ROW = 32, BOX = 22, GAP = 70, STAIR = 64, TOP = 10, HEAD = 24;
const SHORT = { relaxed: "rlx", acquire: "acq", release: "rel", acq_rel: "ar", seq_cst: "sc" };

function foldText(fold) {
	return fold && `\u25b8 ${fold.name}: steps ${fold.from + 1} to ${fold.to + 1}`;
}

/* For a box of the graph, which has little room. */
function shortText(step, i) {
	return `${i + 1}  ${stepText({ ...step, order: SHORT[step.order] || step.order,
		read: valuesNamed.get(step.read) || step.read, wrote: valuesNamed.get(step.wrote) || step.wrote })}`;
}

/* How much room the graph has, about: the source stands beside it where the page is wide. */
function graphRoom() {
	return (innerWidth - 60) * (innerWidth > 900 ? 0.6 : 1);
}

/* The row of each step. */
function rowsOf(steps, folds) {
	let row = -1;
	return steps.map((_, i) => folds.some((fold) => fold.from < i && i <= fold.to) ? row : ++row);
}

/* Columns as wide as their texts want, within reason.  No two events share a row: where there is
 * no room for all columns side by side they move over each other, like stairs. */
function layOut(steps, rows, folds, end) {
	const threads = [...new Set(steps.map((step) => step.thread).concat(end ? [end.thread] : []))].sort((a, b) => a - b);
	const columns = new Map();
	let x = 40, last = 0;
	for (const thread of threads) {
		const lengths = steps.map((step, i) => step.thread !== thread ? 0 : (foldText(folds.find((fold) => fold.from <= i && i <= fold.to)) ||
			shortText(step, i)).length + 1);
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
	const count = rows[rows.length - 1] + 1 + (end ? 1 : 0);
	return { columns, crowded: share < 1, width: right + 40, height: TOP + count * ROW + 10 };
}

/* Out of the left side, along a gutter and into the left side: no two events share a row, so that there is no box on the way.
 * The gutter is left of the columns in question, or of all if they overlap. */
function edgePath(edge, place, crowded, number) {
	const a = place(edge.from), b = place(edge.to);
	if (edge.kind === "po")
		return `M${a.x + 12} ${a.y + BOX} L${b.x + 12} ${b.y}`;
	const y1 = a.y + BOX / 2, y2 = b.y + BOX / 2 + { rf: -4, co: 4, hb: 0, fr: 7, race: 2 }[edge.kind];
	const x = (crowded ? 36 : Math.min(a.x, b.x) - 8) - 4 * (number % 7), down = y2 > y1 ? 5 : -5;
	return `M${a.x} ${y1} H${x + 5} Q${x} ${y1} ${x} ${y1 + down} V${y2 - down} Q${x} ${y2} ${x + 5} ${y2} H${b.x}`;
}
/* "T2: enqueue(2)", if the thread makes one call; the first ones of several. */
function threadName(thread, client) {
	const calls = client ? client.calls.filter((call) => call.thread === thread && call.lane).map((call) => call.call) : [];
	const text = calls.slice(0, 2).join("; ") + (calls.length > 2 ? "; ..." : "");
	return text ? `T${thread}: ${text}` : `T${thread}`;
}

/* As much of it as there is room for; a few letters of a call say nothing. */
function headText(name, thread, most) {
	return name.length <= most ? name : most < 10 ? `T${thread}` : name.slice(0, most - 1) + "\u2026";
}

/* The same five colours as on the terminal. */
const threadClass = (thread) => `t${thread % 5}`;

function drawEvent(step, i, box, decisive, onPick) {
	const shown = shortText(step, i), most = Math.floor((box.width - 8) / CHARACTER);
	return svg("g", { class: `event ${threadClass(step.thread)}${step.wrote === undefined ? "" : " write"}${decisive ? " decisive" : ""}`,
		role: "button", tabindex: -1,
		id: `event-${i}`, "aria-label": `step ${i + 1}, thread ${step.thread}: ${stepText(step)}`,
		onclick: () => onPick(i) },
	svg("title", {}, `${stepText(step)}\n${step.where || ""} ${step.function || ""}`),
	svg("rect", { x: box.x, y: box.y, width: box.width, height: BOX }),
	svg("text", { x: box.x + 6, y: box.y + 15 },
		shown.length > most ? shown.slice(0, most - 1) + "\u2026" : shown),
	decisive ? svg("text", { class: "badge", x: box.x + box.width + 4, y: box.y + 16 }, "\u2605") : null);
}

/* A row for steps that are told together. */
function drawFold(fold, steps, box, onOpen) {
	return svg("g", { class: `event fold ${threadClass(steps[fold.from].thread)}`, role: "button", tabindex: 0, "data-from": fold.from, "data-to": fold.to,
		"aria-label": `${fold.name}, steps ${fold.from + 1} to ${fold.to + 1}: show them`,
		onclick: onOpen, onkeydown: (e) => { if (e.key === "Enter") onOpen(); } },
	svg("title", {}, "show these steps"), svg("rect", { x: box.x, y: box.y, width: box.width, height: BOX }),
	svg("text", { x: box.x + 6, y: box.y + 15 }, foldText(fold)));
}

/* The picture with those folds: what is in it, for the frame around it. */
function drawPicture(violation, end, folds, onPick, onOpen) {
	const steps = violation.steps, decisive = violation.decisive, rows = rowsOf(steps, folds);
	const { columns, crowded, width, height } = layOut(steps, rows, folds, end);
	const place = (i) => ({ ...columns.get(steps[i].thread), y: TOP + rows[i] * ROW });
	const foldOf = (i) => folds.findIndex((fold) => fold.from <= i && i <= fold.to);
	const edges = edgesOf(steps).filter((edge) => foldOf(edge.from) < 0 || foldOf(edge.from) !== foldOf(edge.to));
	const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", id: "graph",
		"aria-label": "the execution graph, a column for each thread" },
	svg("defs", {}, ...[...Object.keys(RELATIONS), "race"].map(arrowHead)));
	const heads = svg("svg", { class: "heads", width, height: HEAD, viewBox: `0 0 ${width} ${HEAD}`, "aria-hidden": true });
	const starts = [...columns.values()].map((column) => column.x);
	for (const [thread, column] of columns) {
		const name = threadName(thread, violation.client), next = Math.min(width, ...starts.filter((x) => x > column.x));
		const most = Math.max(3, Math.floor((next - column.x) / (CHARACTER + 0.6)) - 1);
		heads.append(svg("text", { x: column.x, y: 16, "font-weight": "bold", class: `head ${threadClass(thread)}` },
			headText(name, thread, most), svg("title", {}, name)));
	}
	const layers = {};
	for (const kind of Object.keys(RELATIONS))
		picture.append(layers[kind] = svg("g", { "data-relation": kind }));
	for (const [number, edge] of edges.entries()) {
		edge.path = svg("path", { class: `edge ${edge.kind}${edge.minor ? " minor" : ""}`, "marker-end": `url(#head-${edge.kind})`,
			"data-from": edge.from, "data-to": edge.to, d: edgePath(edge, place, crowded, number) },
		svg("title", {}, `${RELATIONS[edge.kind].name}: from step ${edge.from + 1} to step ${edge.to + 1}`));
		layers[edge.kind].append(edge.path);
	}
	if (violation.race) {
		const [from, to] = violation.race;
		picture.append(svg("path", { class: "race", id: "race", "marker-start": "url(#head-race)", "marker-end": "url(#head-race)",
			"data-from": from, "data-to": to, d: edgePath({ kind: "race", from, to }, place, crowded, 0) },
		svg("title", {}, `no happens-before: nothing orders step ${from + 1} and step ${to + 1}`)));
		const [left, right] = [place(from), place(to)].sort((a, b) => a.x - b.x);
		if (right.x - left.x > 130)
			picture.append(svg("text", { class: "race-name", x: right.x - 128, y: right.y + BOX / 2 - 3 }, "no happens-before"));
	}
	const events = steps.map((step, i) => picture.appendChild(drawEvent(step, i, place(i), i === decisive.step && decisive.why, onPick)));
	events.forEach((event, i) => event.classList.toggle("folded", foldOf(i) >= 0));
	const boxes = folds.map((fold) => picture.appendChild(drawFold(fold, steps, place(fold.from), () => onOpen(fold))));
	if (end) {
		const box = { ...columns.get(end.thread), y: TOP + (rows[rows.length - 1] + 1) * ROW };
		picture.append(svg("g", { class: "event end" },
			svg("rect", { x: box.x, y: box.y, width: box.width, height: BOX }),
			svg("text", { x: box.x + 6, y: box.y + 15 }, `\u21d2 ${end.kind}`)));
	}
	return { picture, heads, layers, edges, events, boxes, foldOf, place, width, height };
}

function drawGraph(violation, end, onPick) {
	const seen = { po: true, rf: true, co: false, hb: false, fr: true };
	const frame = element("div", { class: "scroll" });
	let folds = violation.folds || [], shown = null, at = 0;
	function draw() {
		shown = drawPicture(violation, end, folds, onPick, open);
		frame.replaceChildren(shown.heads, shown.picture);
	}
	draw();

	const buttons = Object.entries(RELATIONS).map(([kind, relation]) =>
		element("button", { class: kind, "data-kind": kind, title: `${relation.name} (key ${relation.key})`,
			onclick: () => toggle(kind) }, kind));
	function toggle(kind, on = !seen[kind]) {
		seen[kind] = on;
		shown.layers[kind].style.display = on ? "" : "none";
		buttons.find((b) => b.dataset.kind === kind).setAttribute("aria-pressed", on);
		say(`${RELATIONS[kind].name} ${on ? "shown" : "hidden"}`);
	}
	Object.keys(RELATIONS).forEach((kind) => toggle(kind, seen[kind]));

	let scale = 1;
	function zoom(factor) {
		scale = Math.min(3, Math.max(0.2, scale * factor));
		for (const [part, high] of [[shown.heads, HEAD], [shown.picture, shown.height]]) {
			part.setAttribute("width", shown.width * scale);
			part.setAttribute("height", high * scale);
		}
	}
	/* Not so small that it cannot be read: then it scrolls. */
	const fit = () => zoom(Math.min(1, Math.max(0.75, (frame.clientWidth - 4) / shown.width)));
	function select(current) {
		at = current;
		shown.events.forEach((event, i) => {
			event.classList.toggle("current", i === current);
			event.classList.toggle("later", i > current);
		});
		shown.boxes.forEach((box, i) => box.classList.toggle("current", shown.foldOf(current) === i));
		for (const edge of shown.edges)
			edge.path.classList.toggle("current", edge.from === current || edge.to === current);
		const box = shown.place(current), middle = box.y * scale;
		if (middle < frame.scrollTop + HEAD || middle > frame.scrollTop + frame.clientHeight - 50)
			frame.scrollTop = middle - frame.clientHeight / 2;
		if (box.x * scale < frame.scrollLeft || (box.x + box.width) * scale > frame.scrollLeft + frame.clientWidth)
			frame.scrollLeft = box.x * scale - 40;
	}
	/* Shows the steps of a fold, for good. */
	function open(fold) {
		folds = folds.filter((other) => other !== fold);
		draw();
		Object.keys(RELATIONS).forEach((kind) => toggle(kind, seen[kind]));
		zoom(1);
		select(at);
		onPick(fold.from);
	}
	const all = () => {
		const on = !Object.values(seen).some(Boolean);
		Object.keys(RELATIONS).forEach((kind) => toggle(kind, on));
	};
	return { frame, buttons, toggle, all, zoom, fit, select };
}
