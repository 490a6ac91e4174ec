// What the pages do beyond their links and forms: change month, day and time without a page load,
// find the guest's own time zone, and tell a site around the frame how tall the page is. Everything
// works without it.

const main = () => document.getElementById("main");
const typed = Object.fromEntries(new URLSearchParams(location.search)); // so far, by field

const address = () => location.pathname + location.search;
let shown = address();

// swap shows another address of this page in its place.
let latest = 0;
async function swap(url, { push = true, focus } = {}) {
	const mine = ++latest;
	main().classList.add("busy");
	remember();
	let page;
	try {
		const answer = await fetch(url, { headers: { Accept: "text/html" } });
		page = new DOMParser().parseFromString(await answer.text(), "text/html");
		if (answer.redirected || !page.getElementById("main")) throw new Error("another page");
	} catch {
		if (mine === latest) location.assign(url); // the browser shows best what went wrong
		return;
	}
	if (mine !== latest) return;
	if (push) history.pushState(null, "", url);
	shown = address();
	main().replaceWith(document.adoptNode(page.getElementById("main")));
	document.title = main().dataset.title;
	recall();
	place(focus);
	tell();
}

// place keeps the keyboard where it was: on the same control, else at what is new.
function place(focus) {
	const news = [...main().querySelectorAll("[data-status]")].map((part) => part.dataset.status);
	document.getElementById("status").textContent = news.join(". ") || main().dataset.title;
	if (!focus) return;
	const next = document.getElementById(focus) ?? main().querySelector("#name, [aria-current], #month") ?? main();
	if (!next.matches("a, input, main")) next.tabIndex = -1;
	next.focus({ preventScroll: next === main() });
}

const fields = () => main().querySelectorAll("#book input:not([type=hidden]):not([type=radio]), #book textarea");
function remember() {
	for (const field of fields()) typed[field.name] = field.value;
}
function recall() {
	for (const field of fields()) if (!field.value && typed[field.name]) field.value = typed[field.name];
}

document.addEventListener("click", (event) => {
	const link = event.target.closest("a[data-swap]");
	if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
	event.preventDefault();
	swap(link.href, { focus: link.id || "book" });
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

// A page that comes back out of the browser's memory can be sent again.
addEventListener("pageshow", release);
function release() {
	for (const form of document.querySelectorAll("[data-sent]")) {
		delete form.dataset.sent;
		form.querySelector("button").removeAttribute("aria-disabled");
	}
}

addEventListener("popstate", () => {
	if (address() !== shown) swap(location.href, { push: false }); // a jump within the page changes nothing
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
	const auto = main().querySelector("[data-auto-zone]")?.dataset.autoZone;
	if (!auto || !own || own === auto || (document.cookie + ";").includes("slotd_zone=" + own + ";")) return;
	document.cookie = "slotd_zone=" + own + "; path=/; max-age=31536000; samesite=lax" + (location.protocol === "https:" ? "; secure" : "");
	if (document.cookie.includes("slotd_zone=" + own)) return swap(location.href, { push: false });
	const url = new URL(location.href); // no cookies here
	url.searchParams.set("tz", own);
	history.replaceState(null, "", url);
	swap(url, { push: false });
}

// A frame is as tall as its page.
function tell() {
	if (window.parent === window) return;
	const height = document.documentElement.getBoundingClientRect().height;
	window.parent.postMessage({ slotd: "height", height: Math.ceil(height) }, "*");
}
if (window.parent !== window) {
	new ResizeObserver(tell).observe(document.body);
	addEventListener("keydown", (event) => {
		if (event.key === "Escape") window.parent.postMessage({ slotd: "close" }, "*"); // the dialog around it
	});
	if (main().dataset.booked !== undefined) window.parent.postMessage({ slotd: "booked" }, "*");
}

findZone();
