/* plots.js -- plots: how a state space grows, and what counting sees of a history. */

/* On a small screen they are narrower. */
const PLOT = { width: Math.min(760, Math.max(280, innerWidth - 44)), left: 84, right: 24, top: 14, bottom: 34 };

/* Round numbers from 0 to `last`, `most` at most but for the first: 1, 2 or 5 times a power of
 * ten apart. */
function ticks(last, most) {
	let step = 1;
	for (let i = 0; last / step > most; i++)
		step *= [2, 2.5, 2][i % 3];
	return Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step);
}

/* An empty plot: a scale below, lines across, and their names. */
function axes(height, label, last, below, rows) {
	const bottom = height - PLOT.bottom, x = (value) => PLOT.left + value / last * (PLOT.width - PLOT.left - PLOT.right);
	const picture = svg("svg", { width: PLOT.width, height, viewBox: `0 0 ${PLOT.width} ${height}`, role: "group", "aria-label": label },
		svg("text", { x: PLOT.width - PLOT.right, y: height - 4, "text-anchor": "end", class: "faint" }, below));
	for (const [name, y] of rows)
		picture.append(svg("line", { x1: PLOT.left, x2: PLOT.width - PLOT.right, y1: y, y2: y, class: "lane" }),
			svg("text", { x: PLOT.left - 8, y: y + 4, "text-anchor": "end", class: "faint" }, name));
	for (const value of ticks(last, 10))
		picture.append(svg("text", { x: x(value), y: bottom + 16, "text-anchor": "middle", class: "faint" },
			value.toLocaleString("en")));
	return { picture, x, bottom };
}

/* States by their distance from the first one, and how many there are in all by then. */
function showGrowth(levels) {
	const height = 250, most = Math.max(...levels), last = Math.max(1, levels.length - 1);
	const all = levels.reduce((sum, states) => sum + states, 0);
	const y = (share) => height - PLOT.bottom - share * (height - PLOT.bottom - PLOT.top);
	const { picture, x } = axes(height, "states by distance from the first one", last, "transitions from the first state",
		ticks(most, 4).map((value) => [value.toLocaleString("en"), y(value / most)]));
	const width = Math.min(24, Math.max(1, (x(1) - x(0)) * 0.8));
	let sum = 0;
	const line = levels.map((states, i) => {
		sum += states;
		picture.append(svg("rect", { x: x(i) - width / 2, width, y: y(states / most), height: y(0) - y(states / most), class: "level",
			"data-states": states }, svg("title", {}, `${count(states, "state")} at distance ${i}, ${sum.toLocaleString("en")} so far`)));
		return `${x(i)} ${y(sum / all)}`;
	});
	picture.append(svg("path", { d: `M${line.join(" L")}`, class: "sum" }));
	return section("How the states grow", element("div", { class: "scroll", id: "growth" }, picture),
		element("p", { class: "faint" }, `bars: ${count(all, "state")} by the transitions that lead there, up to ${last}; ` +
			"the line: the share of all that was met by then"));
}

/* For each k, up to where counting over the last k intervals goes before it sees something
 * wrong.  `onPick` is given what was picked. */
function showCounted(counted, onPick) {
	const row = 26, height = PLOT.top + counted.length * row + PLOT.bottom;
	const last = Math.max(1, ...counted.map((c) => c.events));
	const { picture, x } = axes(height, "what A_k sees, for each k", last, "calls and returns",
		counted.map((c, i) => [`A_${c.k}`, PLOT.top + (i + 0.5) * row]));
	counted.forEach((c, i) => {
		const y = PLOT.top + (i + 0.5) * row;
		const told = c.seen ? `A_${c.k} sees at event ${c.events.toLocaleString("en")}, line ${c.line}: ${c.text}` :
			`A_${c.k} sees nothing wrong${c.text ? `: ${c.text}` : ""}`;
		const pick = () => onPick(c, told);
		const bar = svg("g", { class: `counted${c.seen ? " seen" : ""}`, tabindex: 0, role: "button", "aria-label": told, "data-k": c.k,
			onclick: pick, onkeydown: (e) => { if (e.key === "Enter") pick(); } }, svg("title", {}, told),
		svg("rect", { x: PLOT.left, y: y - 5, width: Math.max(1, x(c.events) - PLOT.left), height: 10 }));
		if (c.seen)
			bar.append(svg("circle", { cx: x(c.events), cy: y, r: 9 }),
				svg("text", { x: x(c.events), y: y + 4, "text-anchor": "middle" }, "\u2717"));
		picture.append(bar);
	});
	return element("div", {}, element("h2", {}, "What counting sees"),
		element("div", { class: "scroll", id: "counted" }, picture),
		element("p", { class: "faint" }, "A_k forgets the order of what began more than k intervals ago; \u2717 is where it sees " +
			"that something is wrong all the same. That it sees nothing means nothing."));
}
