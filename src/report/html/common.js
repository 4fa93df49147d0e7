/* common.js -- elements, keys, and words that the parts of the page share. */

const data = JSON.parse(document.getElementById("data").textContent);

function fill(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes || {})) {
		if (name.startsWith("on"))
			node.addEventListener(name.slice(2), value);
		else if (value !== false && value !== undefined && value !== null)
			node.setAttribute(name, value === true ? "" : value);
	}
	node.append(...children.filter((child) => child !== null && child !== undefined));
	return node;
}

function element(tag, attributes, ...children) {
	return fill(document.createElement(tag), attributes, children);
}

/* The name of a namespace looks like a link, and this page has none: ask for it. */
const SVG = fill(document.createElement("div"), {}, []);
SVG.innerHTML = "<svg/>";

function svg(tag, attributes, ...children) {
	return fill(document.createElementNS(SVG.firstChild.namespaceURI, tag), attributes, children);
}

function button(text, name, act) {
	return element("button", { "aria-label": name, title: name, onclick: act }, text);
}

function section(title, ...children) {
	return element("section", { "aria-label": title }, element("h2", {}, title), ...children);
}

function table(rows) {
	return element("table", {}, element("tbody", {}, ...rows.map(([name, value]) =>
		element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value)))));
}

/* For those who cannot see what has changed. */
function say(text) {
	document.getElementById("spoken").textContent = text;
}

/* Keys work on the whole page, but not while text is typed or a menu is open. */
const keys = [];

function onKey(names, help, act) {
	keys.push({ names, help, act });
}

document.addEventListener("keydown", (event) => {
	if (event.ctrlKey || event.metaKey || event.altKey || /^(SELECT|TEXTAREA)$/.test(event.target.tagName))
		return;
	const name = (event.shiftKey && event.key.length > 1 ? "Shift+" : "") + event.key;
	const key = keys.find((k) => k.names.includes(name));
	if (key) {
		event.preventDefault();
		key.act(name);
	}
});

function keyHelp() {
	const shown = (name) => ({ ArrowLeft: "\u2190", ArrowRight: "\u2192", ArrowUp: "\u2191", ArrowDown: "\u2193" })[
		name.replace("Shift+", "")] || name.replace("Shift+", "");
	return element("p", { class: "keys faint" }, ...keys.flatMap((key) => [
		...key.names.map((name) => element("kbd", {}, (name.startsWith("Shift+") ? "\u21e7" : "") + shown(name))),
		` ${key.help}\u2003`]));
}

/* An arrow's head for lines of that class. */
function arrowHead(kind) {
	return svg("marker", { id: `head-${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8,
		markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" },
	svg("path", { d: "M0 0 L8 4 L0 8 z", class: `head-${kind}` }));
}

const CHARACTER = 7.3; /* the width of one, in pictures; a bit more than it is */

function count(number, word) {
	return `${number.toLocaleString("en")} ${word}${number === 1 ? "" : /(ch|s|x)$/.test(word) ? "es" : "s"}`;
}
