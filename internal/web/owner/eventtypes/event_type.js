// Beside the form of an event type stands next week as it would be: it is asked for anew while somebody types.
// Without this file a button shows it.

const form = document.querySelector("form[data-preview]");
let waiting, underWay;

for (const button of form.querySelectorAll("[data-scriptless]")) button.hidden = true;
form.addEventListener("input", () => {
	clearTimeout(waiting);
	waiting = setTimeout(preview, 350);
});

async function preview() {
	underWay?.abort();
	const mine = (underWay = new AbortController());
	const body = new URLSearchParams(new FormData(form));
	body.set("part", "1");
	try {
		const answer = await fetch(form.dataset.preview, { method: "POST", body, signal: mine.signal });
		if (!answer.ok) throw new Error(answer.status);
		show(new DOMParser().parseFromString(await answer.text(), "text/html"));
	} catch {
		if (mine === underWay) say(form.dataset.failed);
	}
}

// show puts each part in the place of the one with its name.
function show(parts) {
	for (const part of [...parts.body.children]) document.getElementById(part.id)?.replaceWith(document.adoptNode(part));
	say(document.getElementById("preview").dataset.summary ?? form.dataset.incomplete);
}

function say(text) {
	const status = document.getElementById("status");
	if (status.textContent !== text) status.textContent = text;
}
