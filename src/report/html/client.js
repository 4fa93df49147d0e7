/* client.js -- the client of a violation: its calls as intervals, a lane for each thread, and
 * how far one gets in putting them in order. */

function callText(call) {
	if (call.state === "stuck")
		return `${call.call} never returns`;
	if (call.state === "open")
		return `${call.call} ...`;
	return call.result === undefined ? call.call : `${call.call} \u2192 ${call.result}`;
}

/* The place of each call in the closest order; misfits have none. */
function placesOf(client) {
	const places = new Map(client.closest.map((call, place) => [call, place + 1]));
	const misfit = (i) => client.why !== undefined && client.closest.length > 0 && !places.has(i);
	return { places, misfit };
}

const LANE = 46, LEFT = 78, BAR = 28;

/* How wide a moment has to be for every text to fit into its bar. */
function momentWidth(client) {
	return Math.max(60, ...client.calls.map((call) => call.lane === 0 ? 0 :
		(callText(call).length * CHARACTER + 44) / Math.max(1, call.end - call.start)));
}

function drawBar(call, place, misfit, x, y, width, onPick) {
	const unfinished = call.state !== "returned";
	const bar = svg("g", { class: `call ${threadClass(call.thread)}${unfinished ? " unfinished" : ""}${misfit ? " misfit" : ""}`,
		tabindex: 0, role: "button", "data-thread": call.thread,
		"aria-label": `thread ${call.lane}: ${callText(call)}` + (misfit ? ", fits nowhere" : "") +
			(place ? `, number ${place} of the closest order` : ""),
		onclick: onPick, onkeydown: (e) => { if (e.key === "Enter") onPick(); } },
	svg("title", {}, `${callText(call)}  (T${call.thread} of the execution)`),
	svg("rect", { x, y, width, height: BAR }),
	svg("text", { x: x + (place || misfit ? 30 : 9), y: y + 18 }, callText(call)));
	if (place || misfit)
		bar.append(svg("g", { class: "place" },
			svg("circle", { cx: x + 15, cy: y + BAR / 2, r: 9 }),
			svg("text", { x: x + 15, y: y + 18, "text-anchor": "middle" }, misfit ? "\u2717" : place)));
	return bar;
}

function drawLanes(client, onPick) {
	const unit = momentWidth(client), lanes = client.threads;
	const width = LEFT + client.moments * unit + 20, height = lanes * LANE + 16;
	const { places, misfit } = placesOf(client);
	const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group",
		"aria-label": "the calls as intervals, a lane for each thread" }, svg("defs", {}, arrowHead("wait")));
	const box = (call) => ({ x: LEFT + call.start * unit + 4, y: (call.lane - 1) * LANE + 12,
		width: Math.max(1, call.end - call.start) * unit - 8 });
	for (let lane = 1; lane <= lanes; lane++) {
		const y = (lane - 1) * LANE + 12 + BAR / 2;
		picture.append(svg("text", { x: 6, y: y + 4, class: "faint" }, `thread ${lane}`),
			svg("line", { x1: LEFT, x2: width - 10, y1: y, y2: y, class: "lane" }));
	}
	client.calls.forEach((call, i) => {
		if (call.lane === 0)
			return;
		const b = box(call);
		picture.append(drawBar(call, places.get(i), misfit(i), b.x, b.y, b.width, () => onPick(call)));
	});
	for (const [from, to] of client.waits) {
		const a = box(client.calls[from]), b = box(client.calls[to]);
		picture.append(svg("path", { class: "wait", "marker-end": "url(#head-wait)",
			d: `M${a.x + a.width} ${a.y + BAR / 2} L${b.x} ${b.y + BAR / 2}` },
		svg("title", {}, `${client.calls[to].call} begins after ${client.calls[from].call} has returned`)));
	}
	return element("div", { class: "scroll" }, picture);
}

function chip(text, misfit) {
	return element("li", { class: `chip${misfit ? " misfit" : ""}` }, text);
}

/* The closest order, and what then fits nowhere. */
function drawClosest(client) {
	const left = client.calls.map((_, i) => i).filter((i) => !client.closest.includes(i));
	const state = (place) => client.states ? [element("li", { class: "state" }, client.states[place])] : [];
	const wish = (call) => call.instead === undefined ? "" : call.instead === "waits" ? ": it would wait" :
		`: it would ${call.instead.startsWith("throws ") ? call.instead.replace("throws", "throw") : `return ${call.instead}`}`;
	return element("ol", { class: "chips", id: "closest" }, ...state(0),
		...client.closest.flatMap((i, place) => [chip(`${place + 1}  ${callText(client.calls[i])}`, false), ...state(place + 1)]),
		...left.map((i) => chip(`\u2717  ${callText(client.calls[i])}${wish(client.calls[i])}`, true)));
}

/* The sentence, and the closest order with the states of the specification between its calls. */
function showWhy(client, why) {
	const part = section("Why that is wrong", element("p", {}, why));
	if (client && client.why !== undefined && (client.closest.length || client.states))
		part.append(element("p", { class: "faint" }, client.states ?
			"the closest order of the calls, with the states of the specification; none of the calls marked \u2717 can come next:" :
			"the longest order of calls that the specification accepts; none of the calls marked \u2717 can come next:"), drawClosest(client));
	return part;
}

function showClient(client, onPick) {
	const before = client.calls.filter((call) => call.lane === 0);
	const part = section("The client");
	if (before.length)
		part.append(element("p", {}, "before the threads start: ",
			element("code", {}, before.map(callText).join("; "))));
	if (client.calls.length > before.length)
		part.append(drawLanes(client, onPick));
	for (const [from, to] of client.waits)
		part.append(element("p", { class: "faint" },
			`${client.calls[to].call} begins after ${client.calls[from].call} has returned`));
	return part;
}

/* Marks the call that a thread of the execution makes, if it is only one. */
function markCall(thread) {
	const own = document.querySelectorAll(`.call[data-thread="${thread}"]`);
	document.querySelectorAll(".call.current").forEach((call) => call.classList.remove("current"));
	if (own.length === 1)
		own[0].classList.add("current");
}
