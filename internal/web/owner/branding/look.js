// The text is what is sent; the colour field beside it follows it, and is followed.
for (const picker of document.querySelectorAll("[data-colour-of]")) {
	const text = document.getElementById(picker.dataset.colourOf);
	picker.hidden = false;
	picker.addEventListener("input", () => (text.value = picker.value));
	text.addEventListener("input", () => {
		const digits = text.value.trim().replace(/^#?/, "#").toLowerCase();
		if (/^#[0-9a-f]{6}$/.test(digits)) picker.value = digits;
		else if (digits === "#") picker.value = text.placeholder;
	});
}
