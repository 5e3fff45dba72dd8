/**
 * Watches that the page loads completely. A network that changes ends the requests under way, and the browser
 * remembers the failure of a module, and of all modules that import it, for as long as the document lives. So
 * the document is loaded again, after a pause that grows. The stylesheet is fetched again without that.
 *
 * index.html loads app.js without this file: the page needs this file only when another one fails.
 */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** The pause doubles, and differs between the pages that a server's restart stops at the same moment. */
function pause(failures) {
	const longest = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
	return longest * (0.5 + Math.random() / 2);
}

/** Waits; a network that is back ends the wait. */
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

/** While the server is away a reload would replace the page by the browser's own error. */
async function serverAnswers() {
	try {
		return (await fetch("/", { method: "HEAD", cache: "no-store" })).ok;
	}
	catch {
		return false;
	}
}

/** The history entry keeps the count: it outlives the reload and ends with the tab. */
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
