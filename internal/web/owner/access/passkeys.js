// Passkeys: asks the server for a question, the device for its answer, and sends that in the form. Without it, and in browsers
// that have no passkeys, the forms stay hidden and the other ways to sign in remain.

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

// Older browsers have passkeys, but not the words to read and write them as JSON.
const read = {
	create: (o) => PublicKeyCredential.parseCreationOptionsFromJSON?.(o) ?? {
		...o, challenge: bytes(o.challenge), user: { ...o.user, id: bytes(o.user.id) },
		excludeCredentials: (o.excludeCredentials ?? []).map((c) => ({ ...c, id: bytes(c.id) })),
	},
	get: (o) => PublicKeyCredential.parseRequestOptionsFromJSON?.(o) ?? {
		...o, challenge: bytes(o.challenge), allowCredentials: (o.allowCredentials ?? []).map((c) => ({ ...c, id: bytes(c.id) })),
	},
};

function write(credential) {
	if (credential.toJSON) return credential.toJSON();
	const { response } = credential, answer = { clientDataJSON: text(response.clientDataJSON) };
	for (const part of ["attestationObject", "authenticatorData", "signature", "userHandle"]) if (response[part]) answer[part] = text(response[part]);
	if (response.getTransports) answer.transports = response.getTransports();
	return { id: credential.id, rawId: text(credential.rawId), type: credential.type, response: answer, clientExtensionResults: credential.getClientExtensionResults() };
}

// Which of the page's sentences explains an error.
const words = { NotAllowedError: "canceled", InvalidStateError: "exists", NotSupportedError: "unsupported", SecurityError: "forbidden", busy: "busy" };

async function question(form) {
	const answer = await fetch(form.action + "/begin", { method: "POST", body: new URLSearchParams() });
	if (answer.redirected) return location.assign(answer.url);
	if (!answer.ok) throw { name: answer.status === 429 ? "busy" : "failed" };
	return answer.json();
}

async function ask(form, kind) {
	const asked = await question(form);
	if (!asked) return;
	const credential = await navigator.credentials[kind]({ publicKey: read[kind](asked.options.publicKey) });
	form.elements.ticket.value = asked.ticket;
	form.elements.answer.value = JSON.stringify(write(credential));
	form.submit();
}

if (window.PublicKeyCredential && navigator.credentials) {
	for (const none of document.querySelectorAll("[data-passkey-none]")) none.hidden = true;
	for (const form of document.querySelectorAll("form[data-passkey]")) {
		form.hidden = false;
		const button = form.querySelector("button"), status = form.querySelector("[data-words]");
		form.addEventListener("submit", async (event) => {
			event.preventDefault();
			if (button.ariaDisabled) return;
			button.ariaDisabled = "true";
			status.textContent = status.dataset.waiting;
			try {
				await ask(form, form.dataset.passkey);
			} catch (error) {
				status.textContent = status.dataset[words[error.name] ?? "failed"];
			} finally {
				button.ariaDisabled = null;
			}
		});
	}
}
