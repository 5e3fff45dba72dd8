/**
 * Reloads the page if a part of it fails to load. A network change aborts requests in flight, and the browser caches
 * the failure of a module, and of all modules that import it, until the document is reloaded. Reloads are retried
 * with back-off. The stylesheet is fetched again without a reload.
 *
 * index.html loads app.js independently of this file, which is needed only if another file fails to load.
 */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Exponential back-off with jitter, because a server restart interrupts many pages at the same moment. */
function pause(failures) {
	const longest = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
	return longest * (0.5 + Math.random() / 2);
}

/** Waits for that time, or until the network is back. */
function wait(milliseconds) {
	return new Promise((resume) => {
		setTimeout(resume, milliseconds);
		window.addEventListener("online", resume, { once: true });
	});
}

function explain() {
	document.getElementById("load-problem").dataset.failed = "";
	document.getElementById("load-problem-text").textContent =
		"The page could not be loaded completely. Check the connection; trying again …";
}

/** Checked before a reload: while the server is unavailable, the browser would show its own error page instead. */
async function serverAnswers() {
	try {
		return (await fetch("/", { method: "HEAD", cache: "no-store" })).ok;
	}
	catch {
		return false;
	}
}

/** Counts the failures in the history entry, which survives a reload and is dropped with the tab. */
async function loadAgain() {
	let failures = history.state?.loadFailures ?? 0;
	do {
		await wait(pause(failures++));
	} while (!await serverAnswers());
	history.replaceState({ loadFailures: failures }, "");
	location.reload();
}

async function watchApp() {
	try {
		await import("./app.js");
		history.replaceState(null, "");
	}
	catch (error) {
		explain();
		loadAgain();
		throw error;
	}
}

function styleApplies() {
	return getComputedStyle(document.documentElement).getPropertyValue("--accent") !== "";
}

async function watchStyle() {
	for (let failures = 0; !styleApplies(); failures++) {
		await wait(pause(failures));
		const link = document.querySelector("link[rel=stylesheet]");
		const fresh = link.cloneNode();
		await new Promise((settled) => {
			fresh.onload = settled;
			fresh.onerror = settled;
			link.replaceWith(fresh);
		});
	}
}

watchStyle();
await watchApp();
