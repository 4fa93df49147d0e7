/* main.js -- puts the page together. */

const COLOURS = { verified: "good", violation: "bad", inconclusive: "unsure", error: "bad" };

function showVerdict(result, text) {
	const verdict = document.getElementById("verdict");
	verdict.append(element("span", { class: COLOURS[result.verdict] }, result.verdict), text);
	document.title = `${result.verdict}${text} \u2013 linchpin`;
}

function showScope(result) {
	const rows = [];
	if (result.model)
		rows.push(["model", result.model]);
	for (const [name, value] of Object.entries(result.scope || {}))
		rows.push([name, String(value)]);
	if (result.states)
		rows.push(["states", result.states.toLocaleString("en")]);
	else if (data.result && result.executions !== undefined)
		rows.push(["executions", result.executions.toLocaleString("en") +
			(result.blocked ? `, and ${result.blocked.toLocaleString("en")} blocked` : "")]);
	if (result.seconds !== undefined)
		rows.push(["cost", `${Number(result.seconds.toPrecision(2))} s, ${Math.round((result.peak_rss_kb || 0) / 1024)} MB`]);
	document.getElementById("about").append(section(data.result ? "What was explored" : "What was checked", table(rows)));
}

function showResult(result) {
	const main = document.getElementById("main"), violation = result.violation || result.suspicion;
	const what = result.verdict === "violation" ? result.kind :
		(result.suspicion ? `suspected violation, ${result.kind}: ` : "") + (result.reason || result.prop);
	showVerdict(result, `: ${what} \u2013 ${result.subject}`);
	const place = violation && violation.where ? ` at ${violation.where} (T${violation.thread})` +
		(violation.other_where ? ` with ${violation.other_where}` : "") : "";
	document.getElementById("summary").textContent = (result.text || "") + place;
	for (const fix of result.fixes || [])
		main.append(element("p", { class: "fix" }, `fix: ${fix.text}; with this it verifies for the same clients`));
	for (const warning of result.warnings || [])
		main.append(element("p", { class: "unsure" }, `warning: ${warning}`));
	const steps = violation && violation.steps.length ? showSteps(result) : null;
	const client = violation && violation.client, why = violation && (violation.why || client && client.why);
	const parts = [client ? showClient(client, (call) => steps && steps.firstOf(call.thread)) : null, why ? showWhy(client, why) : null];
	main.append(element("div", { class: "top" }, ...parts));
	if (steps)
		main.append(steps.part, keyHelp());
	if (violation && violation.output)
		main.append(section("What the program printed", element("pre", {}, violation.output)));
	if (result.outcomes)
		main.append(section("Outcomes, and the number of executions that have them",
			table(result.outcomes.map((o) => [o.executions.toLocaleString("en"), o.text]))));
	if (result.states_by_depth)
		main.append(showGrowth(result.states_by_depth));
	if (result.coverage)
		main.append(...showCoverage(result.coverage, data.covered).filter((part) => part));
	showScope(result);
	if (steps)
		steps.start();
}

function showHistories(result) {
	const main = document.getElementById("main"), files = result.files || [result];
	const place = element("div", {});
	let shown = null;
	showVerdict(result, `: ${result.kind || result.prop} as ${result.spec}`);
	function show(i) {
		shown = showHistory(files[i], data.recorded[i]);
		place.replaceChildren(shown.part);
		shown.start();
	}
	if (files.length > 1)
		main.append(element("label", {}, "history: ", element("select", { id: "file", onchange: (e) => show(Number(e.target.value)) },
			...files.map((file, i) => element("option", { value: i }, `${file.subject}: ${file.verdict}`)))));
	const act = (name) => (key) => shown.acts[name](key);
	onKey(["ArrowRight", "ArrowDown"], "next call of the attempt", act("next"));
	onKey(["ArrowLeft", "ArrowUp"], "the one before", act("before"));
	onKey(["+", "="], "zoom in", act("larger"));
	onKey(["-"], "zoom out", act("smaller"));
	onKey(["Shift+ArrowLeft", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown"], "move", act("move"));
	onKey(["0"], "all", act("all"));
	onKey(["c"], "the wrong calls", act("wrong"));
	onKey(["t"], SPACINGS.join("; "), act("even"));
	main.append(place, keyHelp());
	showScope(result);
	const first = files.findIndex((file) => file.verdict === result.verdict);
	show(Math.max(0, first));
	if (files.length > 1)
		document.getElementById("file").value = String(Math.max(0, first));
}

if (data.result)
	showResult(data.result);
else
	showHistories(data.histories);
