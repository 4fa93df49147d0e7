/* history.js -- a recorded history: every call as an interval, a lane for each thread, on a
 * canvas that can be zoomed and moved; the calls that are wrong by themselves stand out.
 *
 * A hundred thousand calls are redrawn at every move.  Within a lane they are sorted by
 * start, and `reach` has the latest end so far, which grows: so those in view are found by
 * bisection, and of those narrower than a pixel only one a pixel is drawn. */

/* The columns of the data as lanes, in which a call without end goes on to the last moment. */
function lanesOf(recorded, core) {
	const lanes = new Map(), origin = BigInt(recorded.origin);
	const relative = (text) => Number(BigInt(text) - origin);
	for (const thread of [...recorded.thread, ...core.map((call) => call.thread)])
		if (!lanes.has(thread))
			lanes.set(thread, []);
	recorded.thread.forEach((thread, i) => lanes.get(thread).push({ thread, start: recorded.start[i],
		end: recorded.end[i], text: recorded.text[i], line: recorded.line[i] }));
	for (const call of core) {
		call.from = relative(call.start);
		call.to = call.end === null ? null : relative(call.end);
	}
	const threads = [...lanes.keys()].sort((a, b) => a - b);
	return threads.map((thread) => ({ thread, calls: lanes.get(thread).sort((a, b) => a.start - b.start) }));
}

/* Moments as equally spaced, for histories with long pauses: the place of a time among all. */
function ranker(lanes, core) {
	const times = new Set(core.flatMap((c) => c.to === null ? [c.from] : [c.from, c.to]));
	for (const lane of lanes)
		for (const call of lane.calls) {
			times.add(call.start);
			if (call.end !== null)
				times.add(call.end);
		}
	const sorted = Float64Array.from(times).sort();
	const rank = new Map();
	sorted.forEach((time, i) => rank.set(time, i));
	return { rank: (time) => rank.get(time), last: sorted.length ? sorted[sorted.length - 1] : 0, count: sorted.length };
}

/* How the axis can be laid out. */
const SPACINGS = ["by time", "evenly, by order", "evenly, and only the wrong calls"];

/* Places of the calls along the axis; returns where it ends. */
function placeCalls(lanes, core, spacing) {
	const ranks = ranker(spacing === 2 ? [] : lanes, core);
	const place = spacing ? ranks.rank : (time) => time;
	const last = spacing ? ranks.count : ranks.last + Math.max(1, ranks.last / 100);
	for (const lane of spacing === 2 ? [] : lanes) {
		lane.reach = new Float64Array(lane.calls.length);
		let reach = -Infinity;
		lane.calls.forEach((call, i) => {
			call.x1 = place(call.start);
			call.x2 = call.end === null ? last : place(call.end);
			lane.reach[i] = reach = Math.max(reach, call.x2);
		});
	}
	for (const call of core) {
		call.x1 = place(call.from);
		call.x2 = call.to === null ? last : place(call.to);
	}
	return last;
}

/* The first index at which the growing array is at least `value`. */
function bisect(array, value) {
	let low = 0, high = array.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (array[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

function historyPicture(recorded, violation, told) {
	const core = violation ? violation.calls : [];
	const lanes = lanesOf(recorded, core);
	const number = new Map((violation ? violation.order : []).map((call, place) => [call, place + 1]));
	const laneOf = new Map(lanes.map((lane, i) => [lane.thread, i]));
	const canvas = element("canvas", { tabindex: 0, role: "img", id: "picture",
		"aria-label": `${count(recorded.thread.length, "call")} of ${count(lanes.length, "thread")} as intervals` });
	const view = { left: 0, scale: 1, top: 0, lane: 24, spacing: 0, last: 1, chosen: -1 };
	const context = canvas.getContext("2d");
	const side = 52, head = 4;
	const flags = new Map(); /* of each lane, where the last flag ends: the next one comes after it */
	let wanted = false, drawn = 0;

	const width = () => canvas.clientWidth - side, screen = (x) => side + (x - view.left) * view.scale;
	function draw() {
		wanted = false;
		drawn = 0;
		flags.clear();
		const ratio = devicePixelRatio || 1, style = getComputedStyle(document.body);
		const colour = (name) => style.getPropertyValue(`--${name}`);
		if (canvas.width !== Math.round(canvas.clientWidth * ratio) || canvas.height !== Math.round(canvas.clientHeight * ratio)) {
			canvas.width = Math.round(canvas.clientWidth * ratio);
			canvas.height = Math.round(canvas.clientHeight * ratio);
		}
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.fillStyle = colour("panel");
		context.fillRect(0, 0, canvas.clientWidth, canvas.clientHeight);
		context.font = "12px ui-monospace, monospace";
		context.textBaseline = "middle";
		const y = (i) => head + i * view.lane - view.top;
		context.save();
		context.beginPath();
		context.rect(side, 0, width(), canvas.clientHeight);
		context.clip();
		lanes.forEach((lane, i) => {
			if (view.spacing < 2 && y(i) > -view.lane && y(i) < canvas.clientHeight)
				drawLane(lane, y(i), colour);
		});
		core.forEach((call, i) => drawCore(call, i, y(laneOf.get(call.thread)), colour));
		context.restore();
		context.fillStyle = colour("faint");
		lanes.forEach((lane, i) => {
			if (view.lane >= 11 && y(i) > -view.lane && y(i) < canvas.clientHeight)
				context.fillText(`T${lane.thread}`, 6, y(i) + view.lane / 2);
		});
		canvas.dataset.drawn = drawn; /* for tests: what is in view */
		canvas.dataset.view = JSON.stringify({ left: view.left, scale: view.scale, spacing: view.spacing });
	}
	function box(call, y, fill, line, least) {
		const x1 = Math.round(Math.max(side - 2, screen(call.x1)));
		const x2 = Math.max(x1 + least, Math.round(Math.min(side + width() + 2, screen(call.x2))));
		const high = Math.max(1, view.lane - (view.lane > 8 ? 4 : 1));
		context.fillStyle = x2 - x1 > 3 ? fill : line;
		context.fillRect(x1, y, x2 - x1, high);
		if (x2 - x1 > 3 && view.lane > 6) {
			context.strokeStyle = line;
			context.strokeRect(x1 + 0.5, y + 0.5, x2 - x1 - 1, high - 1);
		}
		drawn++;
		return { x1, x2, high };
	}
	function label(text, at, y, colour) {
		const room = Math.floor((at.x2 - at.x1 - 8) / CHARACTER);
		if (room < 4 || view.lane < 14)
			return;
		context.fillStyle = colour("ink");
		context.fillText(text.length > room ? text.slice(0, room - 1) + "\u2026" : text, at.x1 + 4, y + at.high / 2);
	}
	function drawLane(lane, y, colour) {
		const right = view.left + width() / view.scale, fill = colour("bar"), dim = colour("bar-dim");
		let filled = -Infinity;
		for (let i = bisect(lane.reach, view.left); i < lane.calls.length && lane.calls[i].x1 <= right; i++) {
			const call = lane.calls[i], end = screen(call.x2);
			if (end < filled)
				continue; /* nothing of it would be seen */
			const at = box(call, y, fill, dim, 1);
			filled = at.x2;
			label(call.text, at, y, colour);
		}
	}
	function drawCore(call, i, y, colour) {
		if (screen(call.x2) < side || screen(call.x1) > side + width())
			return;
		const at = box(call, y, colour("core"), colour("core-line"), 3);
		if (i === view.chosen) {
			context.strokeStyle = colour("ink");
			context.lineWidth = 2.5;
			context.strokeRect(at.x1, y, Math.max(3, at.x2 - at.x1), at.high);
			context.lineWidth = 1;
		}
		const mark = String(number.get(i) || "\u2717");
		if (at.x2 - at.x1 > 60)
			return label(`${mark} ${recordedText(call)}`, at, y, colour);
		const left = Math.max(at.x2, flags.get(y) ?? 0), wide = 9 + 7 * mark.length, high = Math.min(15, at.high);
		flags.set(y, left + wide);
		context.fillStyle = colour("paper"); /* a flag, where the call itself is hardly seen */
		context.strokeStyle = colour("core-line");
		context.fillRect(left, y, wide, high);
		context.strokeRect(left + 0.5, y + 0.5, wide - 1, high - 1);
		context.fillStyle = colour("ink");
		context.fillText(mark, left + 5, y + high / 2 + 1);
	}
	function redraw() {
		if (!wanted)
			requestAnimationFrame(draw);
		wanted = true;
	}
	function bound() {
		view.scale = Math.min(Math.max(view.scale, 0.9 * width() / view.last), 1e9);
		const seen = width() / view.scale;
		view.left = Math.min(Math.max(view.left, -0.1 * seen), view.last - 0.9 * seen);
		view.top = Math.min(Math.max(0, view.top), Math.max(0, lanes.length * view.lane + 2 * head - canvas.clientHeight));
		redraw();
	}
	/* What is under the pointer stays there; else the chosen call, or the middle. */
	function zoom(factor, at = side + width() / 2) {
		const chosen = core[view.chosen], middle = chosen && screen((chosen.x1 + chosen.x2) / 2);
		if (arguments.length < 2 && middle > side && middle < side + width())
			at = middle;
		const fixed = view.left + (at - side) / view.scale;
		view.scale *= factor;
		view.left = fixed - (at - side) / view.scale;
		bound();
	}
	function pan(x, y) {
		view.left += x / view.scale;
		view.top += y;
		bound();
	}
	function fit(from, to) {
		const margin = Math.max((to - from) * 0.1, view.spacing ? 0.5 : view.last / 1e6);
		view.scale = width() / (to - from + 2 * margin);
		view.left = from - margin;
		bound();
	}
	/* The call that begins in a line of the file, if it is there, and some of its surroundings. */
	function fitLine(line) {
		lanes.forEach((lane, i) => {
			const call = lane.calls.find((c) => c.line === line);
			if (!call)
				return;
			const around = Math.max(4 * (call.x2 - call.x1), 40 * view.last / Math.max(1, recorded.thread.length));
			if (i * view.lane < view.top || (i + 1) * view.lane > view.top + canvas.clientHeight)
				view.top = i * view.lane - canvas.clientHeight / 2;
			fit(call.x1 - around, call.x2 + around);
		});
	}
	const fitAll = () => fit(0, view.last);
	const fitCore = () => core.length ? fit(Math.min(...core.map((c) => c.x1)),
		Math.max(...core.map((c) => c.end === null ? c.x1 : c.x2))) : fitAll();
	function space(spacing) {
		view.spacing = spacing % (core.length ? 3 : 2);
		view.last = placeCalls(lanes, core, view.spacing);
		say(SPACINGS[view.spacing]);
		fitCore();
	}
	/* The call at a point: of the core first, for that is drawn on top. */
	function at(event) {
		const bounds = canvas.getBoundingClientRect(), x = view.left + (event.clientX - bounds.left - side) / view.scale;
		const lane = lanes[Math.floor((event.clientY - bounds.top - head + view.top) / view.lane)];
		if (!lane)
			return null;
		const slack = 2 / view.scale, hit = (call) => call.x1 - slack <= x && x <= call.x2 + slack;
		const wrong = core.findIndex((call) => call.thread === lane.thread && hit(call));
		if (wrong >= 0)
			return { core: wrong };
		if (view.spacing === 2)
			return null;
		for (let i = bisect(lane.reach, x - slack); i < lane.calls.length && lane.calls[i].x1 <= x + slack; i++)
			if (hit(lane.calls[i]))
				return { call: lane.calls[i] };
		return null;
	}
	function choose(i) {
		view.chosen = i;
		const call = core[i], y = laneOf.get(call.thread) * view.lane;
		if (y < view.top || y > view.top + canvas.clientHeight - view.lane)
			view.top = y - canvas.clientHeight / 2;
		if (screen(call.x2) < side || screen(call.x1) > side + width())
			view.left = (call.x1 + call.x2 - width() / view.scale) / 2;
		bound();
	}
	let held = null;
	canvas.addEventListener("wheel", (event) => {
		event.preventDefault();
		if (event.shiftKey)
			pan(event.deltaY, 0);
		else
			zoom(Math.exp(-event.deltaY / 400), event.clientX - canvas.getBoundingClientRect().left);
	}, { passive: false });
	canvas.addEventListener("pointerdown", (event) => {
		held = { x: event.clientX, y: event.clientY, moved: false };
		canvas.setPointerCapture(event.pointerId);
	});
	canvas.addEventListener("pointermove", (event) => {
		if (!held)
			return told(at(event), false);
		held.moved = held.moved || Math.hypot(event.clientX - held.x, event.clientY - held.y) > 3;
		if (held.moved) {
			pan(held.x - event.clientX, held.y - event.clientY);
			held = { x: event.clientX, y: event.clientY, moved: true };
		}
	});
	canvas.addEventListener("pointerup", (event) => {
		if (held && !held.moved)
			told(at(event), true);
		held = null;
	});
	addEventListener("resize", bound);
	for (const change of ["(prefers-color-scheme: dark)", "print"])
		matchMedia(change).addEventListener("change", draw);
	const start = () => {
		const most = Math.max(160, innerHeight * 0.6);
		view.lane = Math.min(30, Math.max(5, Math.floor((most - 2 * head) / Math.max(1, lanes.length))));
		canvas.style.height = `${Math.min(most, lanes.length * view.lane + 2 * head)}px`;
		space(false);
		draw(); /* at once: who prints does not wait for frames */
	};
	return { canvas, zoom, pan, fitAll, fitCore, fitLine, space: () => space(view.spacing + 1), choose, start };
}

function recordedText(call) {
	const open = call.end === null || call.open;
	return call.result === undefined || open ? call.call + (open ? " ..." : "") : `${call.call} -> ${call.result}`;
}

const LISTED = 20; /* calls of a long attempt that are to be seen at once: the last ones */

/* The attempt: numbered calls, and why none of the others can come next. */
function drawAttempt(violation, onPick) {
	const calls = violation.calls, name = (i) => `T${calls[i].thread} ${recordedText(calls[i])}`;
	const why = (stuck) => stuck.why === "rejected" ? "cannot come next" + (stuck.gives ? `: it would give ${stuck.gives}` : "") :
		stuck.why === "blocked" ? "cannot come next: it would wait" : `has to come after ${name(stuck.first)}`;
	const item = (i, mark, text) => element("li", {}, element("button", { class: `chip${mark === "\u2717" ? " misfit" : ""}`,
		"data-call": i, onclick: () => onPick(i) }, `${mark}  ${name(i)}`), ` ${calls[i].where} ${text}`);
	const placed = violation.order.map((i, place) => item(i, String(place + 1), ""));
	const list = (items) => element("ol", { class: "chips", style: "flex-direction: column" }, ...items);
	const early = placed.length > 2 * LISTED ? placed.splice(0, placed.length - LISTED) : [];
	return element("div", { id: "attempt" },
		placed.length ? element("h2", {}, "As far as one gets, one call after the other") : null,
		early.length ? element("details", {}, element("summary", {}, `the first ${count(early.length, "call")}`), list(early)) : null,
		list(placed),
		element("h2", {}, placed.length ? "And then none of the others" : "None of them can come first"),
		element("ul", { class: "chips", style: "flex-direction: column" },
			...violation.stuck.map((stuck) => item(stuck.call, "\u2717", why(stuck)))));
}

const NODE = 30, REASONS = { ww: "write, then write", wr: "write, then read", rw: "read, then write", process: "same thread",
	realtime: "ended before" };

/* Transactions that depend on each other in a circle: numbered as in the list below it. */
function drawCircle(violation, onPick) {
	const edges = violation.cycle, n = edges.length, radius = Math.max(80, n * 26);
	const width = 2 * radius + 300, height = 2 * radius + 2 * NODE + 40;
	const at = (i, r) => [width / 2 + r * Math.sin(2 * Math.PI * i / n), height / 2 - r * Math.cos(2 * Math.PI * i / n)];
	const picture = svg("svg", { id: "circle", width, height, viewBox: `0 0 ${width} ${height}`, role: "group",
		"aria-label": "transactions that depend on each other in a circle" }, svg("defs", {}, arrowHead("wait")));
	edges.forEach((edge, i) => {
		/* Along the circle, from the rim of one node to that of the next. */
		const gap = (NODE / 2 + 4) / radius * n / (2 * Math.PI);
		const [x1, y1] = at(i + gap, radius), [x2, y2] = at(i + 1 - gap, radius), [x, y] = at(i + 0.5, radius + 18);
		picture.append(svg("path", { class: "wait", "marker-end": "url(#head-wait)",
			d: `M${x1} ${y1} A${radius} ${radius} 0 0 1 ${x2} ${y2}` }, svg("title", {}, edge.text)),
		svg("text", { x, y: y + 4, class: "faint", "text-anchor": x > width / 2 + 9 ? "start" : x < width / 2 - 9 ? "end" : "middle" },
			edge.kind, svg("title", {}, edge.text)));
	});
	edges.forEach((edge, i) => {
		const [x, y] = at(i, radius), call = violation.calls[edge.from];
		const pick = () => onPick(edge.from);
		picture.append(svg("g", { class: "call", role: "button", tabindex: 0, "data-call": edge.from, onclick: pick,
			onkeydown: (e) => { if (e.key === "Enter") pick(); } },
		svg("title", {}, `T${call.thread} ${recordedText(call)}`),
		svg("rect", { x: x - NODE / 2, y: y - NODE / 2, width: NODE, height: NODE }),
		svg("text", { x, y: y + 5, "text-anchor": "middle" }, String(edge.from + 1))));
	});
	return picture;
}

/* Transactions, and why each comes before the next. */
function drawDependencies(violation, onPick) {
	const calls = violation.calls, edges = violation.cycle;
	const chip = (i) => element("button", { class: "chip", "data-call": i, onclick: () => onPick(i) },
		`(${i + 1})  T${calls[i].thread} ${recordedText(calls[i])}`);
	const rows = edges.length ? edges.map((edge) => element("li", {}, chip(edge.from), ` ${calls[edge.from].where}`,
		element("div", { class: "faint" }, `${edge.kind} (${REASONS[edge.kind]}): ${edge.text}, so (${edge.from + 1}) comes before (${edge.to + 1})`))) :
		calls.map((call, i) => element("li", {}, chip(i), ` ${call.where}`));
	return element("div", { id: "attempt" },
		element("h2", {}, edges.length ? `${violation.anomaly}: they depend on each other in a circle` : violation.anomaly),
		edges.length ? drawCircle(violation, onPick) : null,
		element("ol", { class: "chips", style: "flex-direction: column" }, ...rows));
}

/* Why the history is wrong, in a sentence. */
function whyWrong(file) {
	const violation = file.violation, calls = violation.calls, name = (i) => `T${calls[i].thread} ${recordedText(calls[i])}`;
	if (violation.anomaly && violation.cycle.length)
		return `${violation.anomaly}: ` + violation.cycle.map((edge) => `(${edge.from + 1}) comes before (${edge.to + 1}), since ${edge.text}`).join("; ");
	if (violation.anomaly)
		return violation.anomaly;
	const after = violation.order.length > 4 ? `${count(violation.order.length, "call")}, of which the last is ${name(violation.order.at(-1))},` :
		violation.order.map(name).join(", ");
	const next = violation.stuck.filter((stuck) => stuck.why !== "ordered").map((stuck) => name(stuck.call) +
		(stuck.gives ? ` would give ${stuck.gives}` : stuck.why === "blocked" ? " would wait" : " does not fit"));
	return (file.text ? `${file.text}. ` : "") + (after ? `Of these calls, after ${after} none can come next` : "None of these calls can come first") +
		(next.length ? `: ${next.slice(0, 3).join(", ")}${next.length > 3 ? ", ..." : ""}` : "");
}

/* One history; `file` is its result, `recorded` its calls. */
function showHistory(file, recorded) {
	const part = element("div", {}), violation = file.violation, head = section(file.subject || "history");
	const told = element("p", { class: "mono", id: "told" }, "\u00a0");
	const sequence = !violation ? [] : violation.anomaly ? (violation.cycle.length ? violation.cycle.map((e) => e.from) :
		violation.calls.map((call, i) => i)) : [...violation.order, ...violation.stuck.map((s) => s.call)];
	let current = -1;
	const picture = historyPicture(recorded, violation, (found, picked) => {
		if (found && found.core !== undefined && picked)
			return go(sequence.indexOf(found.core));
		const call = found && (found.call || violation.calls[found.core]);
		told.textContent = !call ? "\u00a0" : found.call ?
			`T${call.thread} ${call.text}  line ${call.line}, from ${call.start} to ${call.end ?? "?"}` :
			`T${call.thread} ${recordedText(call)}  ${call.where}, one of those that are wrong`;
	});
	function go(i) {
		if (i < 0 || i >= sequence.length)
			return;
		current = i;
		const call = violation.calls[sequence[i]];
		picture.choose(sequence[i]);
		part.querySelectorAll("[data-call]").forEach((b) =>
			b.classList.toggle("current", Number(b.dataset.call) === sequence[i]));
		told.textContent = `T${call.thread} ${recordedText(call)}  ${call.where}`;
		say(told.textContent);
	}
	const acts = {
		next: () => go(current + 1), before: () => go(current - 1), larger: () => picture.zoom(1.4),
		smaller: () => picture.zoom(1 / 1.4), all: picture.fitAll, wrong: picture.fitCore, even: picture.space,
		move: (name) => picture.pan(name.endsWith("Left") ? -80 : name.endsWith("Right") ? 80 : 0,
			name.endsWith("Up") ? -60 : name.endsWith("Down") ? 60 : 0),
	};
	head.append(element("p", {}, `${count(file.calls || 0, "call")} (${file.pending || 0} pending) of ${count(file.threads || 0, "thread")}` +
		(file.text && !violation ? `: ${file.text}` : "")));
	if (violation && !violation.anomaly)
		head.append(element("p", {}, `${count(violation.calls.length, "call")} ${violation.calls.length === 1 ? "is enough for the violation" :
			"are enough for the violation"}${violation.minimal ? ", and none of them can be left out." : "."}`));
	part.append(element("div", { class: "top" }, head,
		violation ? section("Why that is wrong", element("p", { id: "why" }, whyWrong(file))) : null));
	if (recorded.thread.length < (file.calls || 0))
		part.append(element("p", { class: "unsure" }, `only ${count(recorded.thread.length, "call")} are pictured, around those that are wrong`));
	if (recorded.thread.length)
		part.append(element("div", { class: "tools", role: "toolbar", "aria-label": "the picture" },
			violation ? button("wrong calls", "show the wrong calls", acts.wrong) : null, button("all", "show all calls", acts.all),
			button("spacing", SPACINGS.join("; "), acts.even), button("\u2212", "zoom out", acts.smaller), button("+", "zoom in", acts.larger)), picture.canvas, told);
	if (file.counted)
		part.append(showCounted(file.counted, (counted, text) => {
			part.querySelectorAll("[data-k]").forEach((bar) =>
				bar.classList.toggle("current", Number(bar.dataset.k) === counted.k));
			if (counted.seen)
				picture.fitLine(counted.line);
			told.textContent = text;
			say(text);
		}));
	if (violation && violation.anomaly)
		part.append(drawDependencies(violation, (i) => go(sequence.indexOf(i))));
	else if (violation)
		part.append(drawAttempt(violation, (i) => go(sequence.indexOf(i))));
	return { part, acts, start: () => { if (recorded.thread.length) picture.start(); } };
}
