// What the pages do beyond their links and forms: change month, day and time without a page load,
// find the guest's own time zone, and tell a site around the frame how tall the page is. Everything
// works without it.

const main = () => document.getElementById("main");
const framed = window.parent !== window;
const address = () => location.pathname + location.search;
let shown = address();

// swap shows another address of this page in its place.
let underWay;
async function swap(url, { push = true, focus, clicked, quiet } = {}) {
	underWay?.abort();
	const mine = (underWay = new AbortController());
	main().classList.toggle("busy", !quiet);
	let page;
	try {
		const answer = await fetch(url, { headers: { Accept: "text/html" }, signal: mine.signal });
		if (quiet && !answer.ok) return; // it looks again
		page = new DOMParser().parseFromString(await answer.text(), "text/html");
		// Another page, or one of another version: the browser loads it whole.
		if (answer.redirected || !page.getElementById("main") || script(page) !== script(document)) return location.assign(url);
	} catch {
		if (mine === underWay) stay(main().dataset.unreachable);
		return;
	}
	if (mine !== underWay || (quiet && page.getElementById("main").innerHTML === main().innerHTML)) return;
	remember();
	const at = focus ?? document.activeElement?.id;
	main().replaceWith(document.adoptNode(page.getElementById("main")));
	if (push) history.pushState(null, "", url);
	shown = address();
	document.title = main().dataset.title;
	recall();
	place(at, focus);
	if (clicked === "day") showTimes();
	tell();
}

const script = (page) => page.querySelector("script[type=module]")?.getAttribute("src");

// stay keeps what is there, and says why if there is something to say.
function stay(why) {
	main().classList.remove("busy");
	if (!why) return;
	const note = Object.assign(document.createElement("p"), { className: "alert", id: "trouble", textContent: why });
	document.getElementById("trouble")?.remove();
	main().prepend(note);
	note.scrollIntoView({ block: "nearest" }); // in a frame, which is as tall as its page
	document.getElementById("status").textContent = why;
}

// place keeps the keyboard where it was: on the same control, else at what is new.
function place(at, focus) {
	const news = [...main().querySelectorAll("[data-status]")].map((part) => part.dataset.status);
	document.getElementById("status").textContent = news.join(". ") || main().dataset.title;
	const same = at && document.getElementById(at);
	if (!same && !focus) return;
	const next = same ?? main().querySelector("#name, [aria-current], #month") ?? main();
	if (!next.matches("a,input,textarea,summary,button,main")) next.tabIndex = -1;
	next.focus({ preventScroll: true });
	if (next !== main()) next.scrollIntoView({ block: "nearest" });
}

// showTimes brings the times of the day into view: on a phone they lie below the month.
function showTimes() {
	const times = main().querySelector(".day-times");
	if (times && times.getBoundingClientRect().top > innerHeight - 150) times.scrollIntoView({ block: "start" });
}

// What the guest has typed outlives the form it was typed into.
const typed = {};
const fields = () => main().querySelectorAll("#book :is(input:not([type=hidden], [type=radio]), textarea):not(.trap *)");
function remember() {
	for (const field of fields()) if (field.value || field.name in typed) typed[field.name] = field.value;
}
function recall() {
	for (const field of fields()) if (field.name in typed) field.value = typed[field.name];
}
// Links leave out what is long, in the letters of an address.
for (const [name, value] of new URLSearchParams(location.search)) typed[name] ??= value;

document.addEventListener("click", (event) => {
	const link = event.target.closest("a[data-swap]");
	if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
	event.preventDefault();
	swap(link.href, { focus: link.id || "book", clicked: link.classList[0] });
});

document.addEventListener("submit", (event) => {
	const form = event.target;
	if (form.matches("[data-swap]")) {
		event.preventDefault();
		swap(form.getAttribute("action") + "?" + new URLSearchParams(new FormData(form)), { focus: "change-zone" });
	} else if (form.dataset.sent) {
		event.preventDefault(); // a second click books nothing twice, and says nothing new
	} else {
		form.dataset.sent = "true";
		form.querySelector("button").setAttribute("aria-disabled", "true");
		setTimeout(release, 5000); // the guest may have stopped it
	}
});

// A page that comes back out of the browser's memory can be used again.
addEventListener("pageshow", () => {
	release();
	stay();
});
function release() {
	for (const form of document.querySelectorAll("[data-sent]")) {
		delete form.dataset.sent;
		form.querySelector("button").removeAttribute("aria-disabled");
	}
}

addEventListener("popstate", () => {
	if (address() !== shown) return swap(location.href, { push: false });
	underWay?.abort(); // back where we are, or a jump within the page
	underWay = undefined;
	stay();
});

// Arrows walk through the open days of a month.
document.addEventListener("keydown", (event) => {
	const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key];
	if (!step || !event.target.matches(".month a")) return;
	event.preventDefault();
	const sideways = Math.abs(step) === 1 && getComputedStyle(main()).direction === "rtl" ? -step : step;
	for (let id = +event.target.id.slice(1) + sideways, n = 0; n < 42; id += sideways, n++) {
		const day = document.getElementById("d" + id);
		if (day) return day.focus();
	}
});

// The list of places is fetched when somebody is about to type one.
document.addEventListener("focusin", async (event) => {
	const list = event.target.id === "tz" && document.getElementById("places");
	if (!list || list.options.length) return;
	const places = await (await fetch(event.target.dataset.places)).json();
	list.replaceChildren(...places.map((name) => new Option(name)));
});

// The guest's own zone: shown at once, and remembered for the next page.
function findZone() {
	const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
	const known = () => (document.cookie + ";").includes("slotd_zone=" + own + ";");
	if (!own || known()) return;
	document.cookie = "slotd_zone=" + own + "; path=/; max-age=31536000; samesite=lax" + (location.protocol === "https:" ? "; secure" : "");
	const auto = main().querySelector("[data-auto-zone]")?.dataset.autoZone;
	if (!auto || auto === own) return;
	const url = new URL(location.href);
	if (!known()) {
		url.searchParams.set("tz", own);
		history.replaceState(null, "", url);
	}
	swap(url, { push: false });
}

// An owner who looks at their own page finds the way back.
const by = document.getElementById("by");
if (by && !framed && (document.cookie + ";").includes("slotd_owner=1;")) by.append(" · ", Object.assign(document.createElement("a"), { href: "/settings", textContent: main().dataset.settings }));

// A frame is as tall as its page.
function tell() {
	if (!framed) return;
	const height = document.documentElement.getBoundingClientRect().height;
	window.parent.postMessage({ slotd: "height", height: Math.ceil(height) }, "*");
}
if (framed) {
	new ResizeObserver(tell).observe(document.body);
	addEventListener("keydown", (event) => {
		if (event.key === "Escape") window.parent.postMessage({ slotd: "close" }, "*"); // the dialog around it
	});
	if (main().dataset.booked !== undefined) window.parent.postMessage({ slotd: "booked" }, "*");
}

// A guest who comes back without having paid gets the form back.
document.querySelector("form[data-send-itself]")?.requestSubmit();

// The page that waits for a payment looks again, less and less often, and says nothing until there is news.
async function wait() {
	for (let pause = 1000; main().querySelector("[data-waits]"); pause = Math.min(pause * 1.3, 15000)) {
		await new Promise((done) => setTimeout(done, pause));
		const focus = main().contains(document.activeElement) ? "main" : undefined;
		if (!document.hidden) await swap(location.href, { push: false, quiet: true, focus });
	}
}
wait();

findZone();
