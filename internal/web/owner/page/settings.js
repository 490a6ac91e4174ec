// What the owner's pages do beyond their links and forms. Everything but a grid works without it.

// The browser's own time zone, where none was chosen yet.
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const field of document.querySelectorAll("[data-own-zone]")) if (!field.value && own) field.value = own;

// The list of places is fetched when somebody is about to type one.
document.addEventListener("focusin", async (event) => {
	const list = event.target.dataset?.places && document.getElementById("places");
	if (!list || list.options.length) return;
	const places = await (await fetch(event.target.dataset.places)).json();
	list.replaceChildren(...places.map((name) => new Option(name)));
});

// Letters without their accents: these few are letters of their own, the others come apart.
const folded = { ß: "ss", æ: "ae", œ: "oe", þ: "th", ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ı: "i", ŧ: "t", ſ: "s" };
const fold = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/[ßæœþøłđðħıŧſ]/g, (letter) => folded[letter]);

// An address follows the name until somebody types another one.
for (const slug of document.querySelectorAll("[data-slug-of]")) {
	const name = document.getElementById(slug.dataset.slugOf);
	let follows = !slug.value;
	slug.addEventListener("input", () => (follows = !slug.value));
	name.addEventListener("input", () => {
		if (follows) slug.value = fold(name.value).replace(/[^a-z0-9]+/g, "-").slice(0, 64).replace(/^-|-$/g, "");
	});
}

// A second click sends nothing twice.
document.addEventListener("submit", (event) => {
	const form = event.target;
	if (event.defaultPrevented || form.method !== "post") return;
	if (form.dataset.sent) return event.preventDefault();
	form.dataset.sent = "true";
	setTimeout(() => delete form.dataset.sent, 5000); // the owner may have stopped it, or it was a download
});
addEventListener("pageshow", () => document.querySelectorAll("[data-sent]").forEach((form) => delete form.dataset.sent));

// Copying needs a script: its buttons are hidden without one. Plain http has no clipboard, there the text is selected and copied the old way.
for (const button of document.querySelectorAll("button[data-copy]")) {
	const says = [...button.childNodes];
	const status = document.getElementById("status");
	let later;
	button.hidden = false;
	button.addEventListener("click", async () => {
		const source = document.getElementById(button.dataset.copy);
		try {
			await navigator.clipboard.writeText(source.value ?? source.textContent);
		} catch {
			if (source.select) source.select();
			else getSelection().selectAllChildren(source);
			if (!document.execCommand("copy")) return; // it is selected at least
		}
		button.replaceChildren(document.body.dataset.copied);
		status.textContent = document.body.dataset.copied;
		clearTimeout(later);
		later = setTimeout(() => {
			button.replaceChildren(...says);
			status.textContent = "";
		}, 2000);
	});
}

// On a phone the menu is a row that is wider than the screen.
document.querySelector(".menu [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
