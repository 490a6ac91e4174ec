// The week as a grid to draw on. The text fields stay the truth: the grid shows them, and changes in a day's text only the half
// hours that were drawn, so that finer times beside them stay.

const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const rows = 48, step = 30, minutesPerDay = 1440;
const morning = 12, evening = 44; // rows before 06:00 and from 22:00 on are the night

const form = document.querySelector("[data-week]");
const field = (day) => form.elements[days[day]];
const fullName = (day) => form.querySelector(`label[for=${days[day]}]`).textContent;
const clock = (minute) => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

// Reading and writing a day's text

const oneWindow = /^(\d{1,2})(?:[:.](\d\d))?-(\d{1,2})(?:[:.](\d\d))?$/;

// minutesOf is which minutes of a day are open, or null for a text that says nothing clear.
function minutesOf(text) {
	const open = new Uint8Array(minutesPerDay);
	for (const part of text.replace(/[–—−]/g, "-").replace(/\s*-\s*/g, "-").split(/[,;\s]+/)) {
		if (!part) continue;
		const m = oneWindow.exec(part);
		if (!m || m[2] > 59 || m[4] > 59) return null;
		const from = m[1] * 60 + +(m[2] ?? 0), until = m[3] * 60 + +(m[4] ?? 0);
		if (from >= until || until > minutesPerDay) return null;
		open.fill(1, from, until);
	}
	return open;
}

function textOf(open) {
	const windows = [];
	for (let at = 0; at < minutesPerDay; at++) {
		if (!open[at]) continue;
		const from = at;
		while (at < minutesPerDay && open[at]) at++;
		windows.push(`${clock(from)}-${clock(at)}`);
	}
	return windows.join(", ");
}

// The grid

const place = form.querySelector(".week-grid");
const night = form.querySelector("[data-night]");
const cells = days.map(() => []);
let here = { day: 0, row: 18 };

function build() {
	const table = element("table", { role: "grid", "aria-label": form.dataset.grid, "aria-multiselectable": "true" });
	const head = table.createTHead().insertRow();
	head.append(element("td"));
	days.forEach((_, day) => {
		const th = element("th", { scope: "col" });
		const long = element("span", { class: "unseen" }), short = element("span", { "aria-hidden": "true" });
		long.textContent = fullName(day);
		short.textContent = fullName(day).slice(0, 3);
		th.append(long, short);
		head.append(th);
	});
	const body = table.createTBody();
	for (let row = 0; row < rows; row++) body.append(buildRow(row));
	place.replaceChildren(table);
	return table;
}

function buildRow(row) {
	const tr = element("tr", { class: row < morning || row >= evening ? "night" : "" });
	const th = element("th", { scope: "row" });
	th.textContent = clock(row * step);
	if (row % 2) th.className = "half";
	tr.append(th);
	days.forEach((_, day) => {
		const cell = element("td", { role: "gridcell", tabindex: "-1", "data-day": day, "data-row": row });
		cells[day][row] = cell;
		tr.append(cell);
	});
	return tr;
}

function element(name, attributes = {}) {
	const made = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
	return made;
}

function showDay(day) {
	const open = minutesOf(field(day).value);
	cells[day].forEach((cell, row) => {
		const count = open ? open.subarray(row * step, (row + 1) * step).reduce((a, b) => a + b, 0) : 0;
		const part = count > 0 && count < step;
		cell.setAttribute("aria-selected", count === step);
		cell.classList.toggle("part", part);
		cell.classList.toggle("unread", !open);
		const time = `${fullName(day)} ${clock(row * step)}`;
		cell.setAttribute("aria-label", part ? form.dataset.partly.replace("{time}", time) : time);
	});
}

const isOpen = ({ day, row }) => cells[day][row].getAttribute("aria-selected") === "true";

// Drawing: a stroke is a rectangle over what was there when it began

let stroke = null;

function begin(at, brush) {
	stroke = { from: at, brush, before: days.map((_, day) => field(day).value) };
}

function draw(to) {
	const [firstDay, lastDay] = ordered(stroke.from.day, to.day), [firstRow, lastRow] = ordered(stroke.from.row, to.row);
	const said = [];
	days.forEach((_, day) => {
		const inside = day >= firstDay && day <= lastDay;
		const open = inside && minutesOf(stroke.before[day]);
		if (open) open.fill(stroke.brush ? 1 : 0, firstRow * step, (lastRow + 1) * step);
		const text = open ? textOf(open) : stroke.before[day];
		if (inside) said.push(open ? `${fullName(day)}: ${text || form.dataset.closed}` : form.dataset.unclear.replace("{day}", fullName(day)));
		if (field(day).value === text) return;
		field(day).value = text;
		changed = true;
		showDay(day);
	});
	document.getElementById("status").textContent = said.join("; ");
}

const ordered = (a, b) => (a < b ? [a, b] : [b, a]);

function at(cell) {
	const found = cell?.closest?.("[data-row]");
	return found && place.contains(found) ? { day: +found.dataset.day, row: +found.dataset.row } : null;
}

function listen(table) {
	let pointer = null;
	table.addEventListener("pointerdown", (event) => {
		const to = at(event.target);
		if (!to || event.button !== 0 || pointer !== null) return;
		event.preventDefault();
		pointer = event.pointerId;
		table.setPointerCapture(pointer);
		go(to);
		begin(to, !isOpen(to));
		draw(to);
	});
	table.addEventListener("pointermove", (event) => {
		if (event.pointerId !== pointer) return;
		const to = at(document.elementFromPoint(event.clientX, event.clientY));
		if (to) draw(to);
	});
	for (const end of ["pointerup", "pointercancel"]) {
		table.addEventListener(end, (event) => {
			if (event.pointerId === pointer) pointer = stroke = null;
		});
	}
	table.addEventListener("keydown", key);
	table.addEventListener("focusin", (event) => {
		const to = at(event.target);
		if (!to || (to.day === here.day && to.row === here.row)) return;
		stroke = null; // it was drawn from elsewhere
		stand(to);
	});
}

// Keys: the space bar turns a cell over, and Shift with an arrow goes on from there

const moves = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0], Home: [-7, 0], End: [7, 0], PageUp: [0, -8], PageDown: [0, 8] };

function key(event) {
	if (event.ctrlKey || event.metaKey || event.altKey) return;
	if (event.key === " " || event.key === "Enter") {
		begin(here, !isOpen(here));
		draw(here);
	} else if (moves[event.key]) {
		const [across, down] = moves[event.key];
		const to = { day: clamp(here.day + across, 0, 6), row: clamp(here.row + down, ...shownRows()) };
		if (!event.shiftKey) stroke = null;
		else if (!stroke) begin(here, !isOpen(here));
		go(to);
		if (event.shiftKey) draw(to);
	} else {
		return;
	}
	event.preventDefault();
}

const clamp = (n, low, high) => Math.min(Math.max(n, low), high);
const shownRows = () => (night.checked ? [0, rows - 1] : [morning, evening - 1]);

function go(to) {
	stand(to);
	cells[to.day][to.row].focus();
}

// stand makes a cell the one that keys are about, and that Tab comes back to.
function stand(to) {
	cells[here.day][here.row].tabIndex = -1;
	here = to;
	cells[here.day][here.row].tabIndex = 0;
}

// Copying a day

const chosen = form.querySelector("#copy-day");
const copies = [...form.querySelectorAll("[data-to]")];

function nameCopies() {
	const from = chosen.selectedIndex;
	const others = from === 0 ? "first" : from < 5 ? "weekday" : "weekend";
	copies[0].textContent = copies[0].dataset[others].replace("{day}", fullName(from));
	copies[1].textContent = copies[1].dataset.any.replace("{day}", fullName(from));
}

function copy(event) {
	stroke = null;
	const text = form.elements[chosen.value].value;
	for (const id of event.target.dataset.to.split(" ")) form.elements[id].value = text;
	changed = true;
	days.forEach((_, day) => showDay(day));
	document.getElementById("status").textContent = form.dataset.copied;
}

// What was drawn and not saved is worth a question before it is left.

let changed = false;
window.addEventListener("beforeunload", (event) => changed && event.preventDefault());
form.addEventListener("submit", () => (changed = false));

function showNight() {
	place.classList.toggle("with-night", night.checked);
}

// A day with hours in the night is shown whole.
function worksAtNight() {
	return days.some((_, day) => minutesOf(field(day).value)?.some((open, minute) => open && (minute < morning * step || minute >= evening * step)));
}

listen(build());
days.forEach((_, day) => {
	showDay(day);
	field(day).addEventListener("input", () => {
		stroke = null;
		changed = true;
		showDay(day);
	});
});
cells[here.day][here.row].tabIndex = 0;
night.checked = worksAtNight();
night.addEventListener("change", () => {
	showNight();
	if (!night.checked) {
		stand({ day: here.day, row: clamp(here.row, ...shownRows()) });
	}
});
showNight();
nameCopies();
chosen.addEventListener("change", nameCopies);
for (const button of copies) button.addEventListener("click", copy);
form.querySelector("#grid").hidden = false;
