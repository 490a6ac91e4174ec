// Puts booking pages into other sites:
//
//   <script src="https://book.example/embed.js" async></script>
//   <div data-slotd="https://book.example/acme/intro"></div> a frame, as high as its content
//   <button data-slotd="…">Book</button> opens a dialog; so does a link
//
// data-slotd-title names the frame. Call slotd.scan() after adding elements later. After a booking the
// element gets a "slotd:booked" event, which bubbles.
(() => {
	if (window.slotd?.scan) return window.slotd.scan(); // loaded twice

	const home = new URL("/", document.currentScript?.src || document.baseURI);
	const seen = new WeakSet(); // done, or refused
	const frames = new WeakMap(); // whose messages count, and for what

	function scan() {
		for (const element of document.querySelectorAll("[data-slotd]")) {
			if (seen.has(element)) continue;
			seen.add(element);
			const address = frameAddress(element);
			if (!address) console.warn("slotd: not a booking page's address:", element);
			else if (element.matches("a, button, input")) openOnClick(element, address);
			else element.replaceChildren(newFrame(element, address));
		}
	}

	function frameAddress(element) {
		let url;
		try { url = new URL(element.dataset.slotd, home); } catch { return; }
		if (!/^https?:$/.test(url.protocol)) return;
		url.pathname = "/embed" + url.pathname;
		const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
		if (!url.searchParams.has("tz")) url.searchParams.set("tz", timeZone);
		return url;
	}

	function newFrame(element, address, dialog) {
		// 600px until the page says how high it is; in a dialog it scrolls below the bar.
		const height = dialog ? "calc(100% - 44px)" : "600px";
		const title = element.dataset.slotdTitle || "Book a time";
		const frame = make("iframe", { title, loading: "lazy", src: address },
			{ display: "block", width: "100%", height, border: "0" });
		frames.set(frame, { element, dialog, expected: address.origin });
		return frame;
	}

	function openOnClick(element, address) {
		let dialog;
		element.ariaHasPopup = "dialog";
		element.addEventListener("click", (event) => {
			if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a link to another tab
			event.preventDefault();
			dialog ??= newDialog(element, address);
			const release = holdPage();
			dialog.onclose = () => {
				release();
				element.focus(); // Safari would not
				if (dialog.booked) dialog = void dialog.remove();
			};
			dialog.showModal();
		});
	}

	function newDialog(element, address) {
		// A phone's whole screen.
		const dialog = make("dialog", {}, {
			width: "min(100%, 720px)", height: "min(100%, 760px)", maxWidth: "none", maxHeight: "none",
			margin: "auto", padding: "0", border: "0", borderRadius: "min(12px, max(0px, 100vw - 720px))",
			overflow: "hidden", boxShadow: "0 0 0 100vmax rgb(0 0 0 / 0.5)",
		});
		const frame = newFrame(element, address, dialog);
		dialog.ariaLabel = frame.title;
		// Bar and frame cover it, so that a click on itself is one on the backdrop.
		dialog.onclick = ({ target }) => target === dialog && dialog.close();
		// Light or dark, like the page in the frame.
		const bar = make("div", {}, { height: "44px", textAlign: "end", colorScheme: "light dark", background: "Canvas" });
		bar.append(make("button",
			{ type: "button", ariaLabel: "Close", textContent: "×", onclick: () => dialog.close() },
			{ width: "44px", height: "44px", border: "0", background: "none", color: "CanvasText", font: "24px sans-serif" }));
		dialog.append(bar, frame);
		document.body.append(dialog);
		return dialog;
	}

	// The page behind must not scroll, nor jump when its scroll bar goes.
	function holdPage() {
		const { style, clientWidth } = document.documentElement;
		const { overflow, scrollbarGutter } = style;
		if (innerWidth > clientWidth) style.scrollbarGutter = "stable";
		style.overflow = "hidden";
		return () => Object.assign(style, { overflow, scrollbarGutter });
	}

	// A strict Content-Security-Policy forbids style attributes, but not the style object.
	function make(name, properties, style) {
		const element = Object.assign(document.createElement(name), properties);
		Object.assign(element.style, style);
		return element;
	}

	addEventListener("message", ({ source, origin, data }) => {
		const frame = [...document.querySelectorAll("iframe")].find((f) => f.contentWindow === source);
		const { element, dialog, expected } = frames.get(frame) ?? {};
		if (expected !== origin) return;
		const { slotd: news, height } = data ?? {};
		if (news === "height" && !dialog) frame.style.height = Math.min(20000, Math.max(20, height)) + "px";
		if (news === "booked") {
			if (dialog) dialog.booked = true;
			element.dispatchEvent(new CustomEvent("slotd:booked", { bubbles: true }));
		}
		if (news === "close") dialog?.close(); // Esc, pressed in the frame
	});

	window.slotd = { scan };
	if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", scan);
	else scan();
})();
