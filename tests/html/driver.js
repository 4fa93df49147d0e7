/* driver.js -- uses the pages as a reader would, and notes what is to be seen.
 *
 * Each page is in a frame of its own.  What is noted is compared with the data by browser.py. */
"use strict";

const notes = {};

function press(frame, key, shiftKey = false) {
	frame.contentDocument.body.dispatchEvent(new frame.contentWindow.KeyboardEvent("keydown",
		{ key, shiftKey, bubbles: true, cancelable: true }));
}

const click = (frame, node) => node.dispatchEvent(new frame.contentWindow.MouseEvent("click", { bubbles: true }));
const texts = (nodes) => [...nodes].map((node) => node.textContent);

/* Which of the steps is shown, in each of the places that show it. */
function lookAtStep(page) {
	const line = page.querySelector("#source .current");
	return { step: page.getElementById("step").textContent, event: page.querySelector(".event.current")?.id,
		facts: page.getElementById("facts").innerText, line: line && Number(line.dataset.line), source: line && line.lastChild.textContent,
		spoken: page.getElementById("spoken").textContent };
}

/* Edges that lead through the box of an event which is at neither end: program order apart, which may go behind. */
function crossings(page) {
	const boxes = [...page.querySelectorAll(".event:not(.folded):not(.end)")], found = [];
	const areas = boxes.map((box) => ["x", "y", "width", "height"].map((name) => Number(box.querySelector("rect").getAttribute(name))));
	const holds = (box, i) => box.id ? box.id === `event-${i}` : Number(box.dataset.from) <= i && i <= Number(box.dataset.to);
	for (const edge of page.querySelectorAll(".edge:not(.po), #race")) {
		const length = edge.getTotalLength(), ends = [Number(edge.dataset.from), Number(edge.dataset.to)];
		for (let at = 0; at <= length; at += 3) {
			const p = edge.getPointAtLength(at);
			areas.forEach(([x, y, width, height], i) => {
				if (!ends.some((end) => holds(boxes[i], end)) && p.x > x && p.x < x + width && p.y > y && p.y < y + height)
					found.push([...ends, i]);
			});
		}
	}
	return found.slice(0, 3);
}

/* Where the sentence is: right of what is at its left, and above the pictures. */
function placeOfWhy(page) {
	const parts = [...page.querySelectorAll(".top > section")].map((part) => part.getBoundingClientRect());
	return parts.length === 2 ? { beside: parts[1].left >= parts[0].right && parts[1].top === parts[0].top,
		above: parts[1].top < 300 } : null;
}

/* The rows that stand for several steps: which, what can be seen of these, and what a click on the first makes of it. */
function useFolds(frame) {
	const page = frame.contentDocument, boxes = [...page.querySelectorAll(".event.fold")];
	const hidden = () => [...page.querySelectorAll(".event[id]")].filter((event) =>
		frame.contentWindow.getComputedStyle(event).display === "none").map((event) => Number(event.id.slice(6)));
	const note = { texts: texts(boxes.map((box) => box.querySelector("text"))), hidden: hidden() };
	if (boxes.length)
		click(frame, boxes[0]);
	note.opened = { hidden: hidden(), folds: page.querySelectorAll(".event.fold").length, step: lookAtStep(page).event };
	return note;
}

function edgesOf(page) {
	const edges = {};
	for (const edge of page.querySelectorAll(".edge")) {
		const kind = edge.parentNode.dataset.relation;
		(edges[kind] = edges[kind] || []).push([Number(edge.dataset.from), Number(edge.dataset.to)]);
	}
	return edges;
}

function useResult(frame) {
	const page = frame.contentDocument, note = { steps: [], edges: {}, shown: {} };
	note.verdict = page.getElementById("verdict").textContent;
	note.bars = [...page.querySelectorAll(".call")].map((bar) => bar.getAttribute("aria-label"));
	note.misfits = page.querySelectorAll(".call.misfit").length;
	note.closest = texts(page.querySelectorAll("#closest .chip"));
	note.why = texts(page.querySelectorAll(".top [aria-label='Why that is wrong'] p"));
	note.whyPlace = placeOfWhy(page);
	note.levels = [...page.querySelectorAll("#growth .level")].map((bar) =>
		({ states: Number(bar.dataset.states), height: Number(bar.getAttribute("height")), title: bar.textContent }));
	note.covered = [...page.querySelectorAll(".covered")].map((row) => ({ line: Number(row.querySelector(".number").textContent),
		state: row.className.split(" ")[1], text: row.lastChild.textContent, colour: frame.contentWindow.getComputedStyle(row.firstChild).color }));
	note.said = texts(page.querySelectorAll(".source .note"));
	note.sums = texts(page.querySelectorAll("[aria-label=Coverage] .chip"));
	if (!page.querySelector(".event[id]"))
		return note;
	note.opened = lookAtStep(page);
	note.crossed = crossings(page);
	note.folds = useFolds(frame);
	press(frame, "d");
	const events = page.querySelectorAll(".event[id]");
	note.edges = edgesOf(page);
	const graph = page.getElementById("graph").parentNode, boxes = [...events].map((event) => event.querySelector("rect"));
	note.fits = graph.scrollWidth <= graph.clientWidth + 1;
	note.apart = boxes.every((box, i) => !i || Number(box.getAttribute("y")) >= Number(boxes[i - 1].getAttribute("y")) + Number(box.getAttribute("height")));
	note.heads = [...page.querySelectorAll(".heads text")].map((head) => head.querySelector("title").textContent);
	note.badges = [...page.querySelectorAll(".event.decisive")].map((event) => event.id);
	note.race = page.querySelectorAll("#race").length;
	note.crossed.push(...crossings(page));
	graph.scrollTop = 1e6;
	note.headsStay = Math.abs(page.querySelector(".heads").getBoundingClientRect().top - graph.getBoundingClientRect().top) < 3;
	press(frame, "Home");
	for (let i = 0; i < events.length; i++) {
		note.steps.push(lookAtStep(page));
		press(frame, "ArrowRight");
	}
	note.last = lookAtStep(page);
	const visible = () => Object.fromEntries([...page.querySelectorAll("[data-relation]")].map((layer) =>
		[layer.dataset.relation, frame.contentWindow.getComputedStyle(layer).display !== "none"]));
	note.shown.first = visible();
	press(frame, "r"), press(frame, "h");
	note.shown.keys = visible();
	note.pressed = page.querySelector("button[data-kind=rf]").getAttribute("aria-pressed");
	click(frame, page.querySelector("button[data-kind=rf]"));
	note.shown.clicked = visible();
	press(frame, "e");
	note.shown.none = visible();
	press(frame, "e");
	note.shown.all = visible();
	const width = () => Number(page.getElementById("graph").getAttribute("width"));
	const before = width();
	press(frame, "+");
	note.larger = width() > before;
	click(frame, events[0]);
	note.clicked = lookAtStep(page).event;
	const bar = page.querySelector(".call:last-of-type");
	if (bar) {
		click(frame, bar);
		note.picked = { thread: Number(bar.dataset.thread), step: lookAtStep(page).step };
	}
	return note;
}

const painted = (frame) => new Promise((done) => frame.contentWindow.requestAnimationFrame(() => setTimeout(done, 20)));

/* How many points of the picture have exactly the colour that the style gives to `name`. */
function points(frame, name) {
	const canvas = frame.contentDocument.getElementById("picture"), probe = document.createElement("canvas").getContext("2d");
	probe.fillStyle = frame.contentWindow.getComputedStyle(frame.contentDocument.body).getPropertyValue(`--${name}`);
	probe.fillRect(0, 0, 1, 1);
	const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
	const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
	let found = 0;
	for (let i = 0; i < pixels.length; i += 4)
		found += pixels[i] === r && pixels[i + 1] === g && pixels[i + 2] === b;
	return found;
}

async function useHistory(frame) {
	const page = frame.contentDocument, canvas = page.getElementById("picture"), note = { views: {}, sequence: [] };
	const look = async (name) => {
		await painted(frame);
		note.views[name] = { ...JSON.parse(canvas.dataset.view), drawn: Number(canvas.dataset.drawn),
			wrong: points(frame, "core") + points(frame, "core-line"), bars: points(frame, "bar-dim") };
	};
	const box = canvas.getBoundingClientRect(), Pointer = frame.contentWindow.PointerEvent;
	const at = (x, y) => ({ clientX: box.left + x, clientY: box.top + y, pointerId: 1, bubbles: true });
	note.verdict = page.getElementById("verdict").textContent;
	note.label = canvas.getAttribute("aria-label");
	note.why = page.getElementById("why")?.textContent;
	note.whyPlace = placeOfWhy(page);
	note.attempt = texts(page.querySelectorAll("#attempt li"));
	await look("start");
	press(frame, "0");
	await look("all");
	press(frame, "c");
	await look("core");
	for (let i = 0; i < note.attempt.length; i++) {
		press(frame, "ArrowRight");
		note.sequence.push({ current: texts(page.querySelectorAll(".chip.current")), told: page.getElementById("told").textContent });
	}
	press(frame, "+");
	await look("larger");
	press(frame, "ArrowRight", true);
	await look("moved");
	canvas.setPointerCapture = () => {}; /* there is no such pointer, only its events */
	canvas.dispatchEvent(new Pointer("pointerdown", at(300, 20)));
	canvas.dispatchEvent(new Pointer("pointermove", at(200, 20)));
	canvas.dispatchEvent(new Pointer("pointerup", at(200, 20)));
	await look("dragged");
	canvas.dispatchEvent(new frame.contentWindow.WheelEvent("wheel", { deltaY: -400, ...at(300, 20), cancelable: true }));
	await look("wheel");
	press(frame, "t");
	await look("even");
	/* Looks for a call under the pointer, wherever one is. */
	for (let x = 60; x < box.width && !note.told; x += 7) {
		canvas.dispatchEvent(new Pointer("pointermove", at(x, 20)));
		note.told = page.getElementById("told").textContent.trim();
	}
	press(frame, "t");
	await look("alone");
	note.circle = { nodes: texts(page.querySelectorAll("#circle .call text")), edges: texts(page.querySelectorAll("#circle text.faint")) };
	note.counted = [...page.querySelectorAll(".counted")].map((bar) => ({ k: Number(bar.dataset.k), label: bar.getAttribute("aria-label"),
		seen: bar.classList.contains("seen"), width: Number(bar.querySelector("rect").getAttribute("width")) }));
	const seen = page.querySelectorAll(".counted.seen");
	if (seen.length) {
		press(frame, "t");
		press(frame, "0");
		click(frame, seen[seen.length - 1]);
		await look("counted");
		note.countedTold = page.getElementById("told").textContent;
	}
	const choice = page.getElementById("file");
	if (choice) {
		note.chosen = choice.value;
		choice.value = "0";
		choice.dispatchEvent(new frame.contentWindow.Event("change"));
		note.other = page.querySelector("#main h2").textContent;
	}
	return note;
}

/* On a phone: what is wider than the screen, too small to read, or over something else. */
function lookAtPhone(frame) {
	const page = frame.contentDocument, graph = page.getElementById("graph"), note = {};
	const boxOf = (element) => element.getBoundingClientRect();
	note.wide = page.documentElement.scrollWidth - frame.clientWidth;
	note.outside = [...page.querySelectorAll("h1, h2, p, button, input, .chip, .scroll, #growth svg")]
		.filter((element) => boxOf(element).width && boxOf(element).right > frame.clientWidth + 1).map((element) => element.outerHTML.slice(0, 80));
	note.letters = graph ? 12 * Number(graph.getAttribute("width")) / graph.viewBox.baseVal.width : 12;
	const heads = [...page.querySelectorAll(".heads text")];
	note.heads = heads.map((head) => head.firstChild.textContent);
	note.over = heads.filter((head, i) => i && boxOf(heads[i - 1]).right > boxOf(head).left).length;
	const tools = [...page.querySelectorAll(".tools > *")].map(boxOf);
	note.over += tools.filter((a, i) => tools.some((b, j) => j > i && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length;
	return note;
}

async function open(text, width) {
	const frame = document.createElement("iframe");
	frame.style.width = width;
	frame.style.height = "900px";
	frame.style.border = "0";
	const loaded = new Promise((done) => { frame.onload = done; });
	frame.srcdoc = text;
	document.body.append(frame);
	await loaded;
	return frame;
}

async function main() {
	const all = JSON.parse(document.getElementById("pages").textContent);
	for (const [name, text] of Object.entries(all)) {
		const small = await open(text, "390px"), phone = lookAtPhone(small);
		small.remove();
		const frame = await open(text, "1200px");
		try {
			const history = frame.contentDocument.getElementById("picture");
			notes[name] = history ? await useHistory(frame) : useResult(frame);
			notes[name].title = frame.contentDocument.title;
			notes[name].phone = phone;
		} catch (error) {
			notes[name] = { error: `${error}\n${error.stack}` };
		}
		frame.remove();
	}
	await fetch("notes", { method: "POST", body: JSON.stringify(notes) });
}

main();
