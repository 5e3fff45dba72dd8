import { byId } from "./dom.js";

/**
 * The page of a link: "#reset=TOKEN" sets a password, "#invite=TOKEN" registers an account. Browsers do not send the
 * fragment to servers, so the token is in no log; it is removed from the address bar and from the history at once.
 */
const TEXTS = {
	reset: {
		title: "Choose a new password",
		lead: "Several words are easy to remember. All your devices are signed out.",
		done: "Your password is set. Sign in with it.",
	},
	invite: {
		title: "Create your account",
		lead: "Choose a name, and a password of several words.",
		done: "Your account is ready. Sign in with it.",
	},
};

const form = byId("account-form");

let link = null;

function read() {
	const match = /^#(reset|invite)=([\w-]+)$/.exec(location.hash);
	if (!match) {
		return;
	}
	history.replaceState(null, "", location.pathname);
	link = { kind: match[1], token: match[2] };
	byId("account-title").textContent = TEXTS[link.kind].title;
	byId("account-lead").textContent = TEXTS[link.kind].lead;
	byId("account-name").hidden = link.kind !== "invite";
	byId("account-home").hidden = true;
	form.reset();
	form.hidden = false;
	explain("");
	(link.kind === "invite" ? form.username : form.password).focus();
}

function explain(sentence) {
	byId("account-error").textContent = sentence;
}

/** Returns what is wrong with the input, or an empty text. */
function problem(username, password) {
	if (link.kind === "invite" && !username) {
		return "Enter a name.";
	}
	if (!password) {
		return "Enter a password.";
	}
	return password === form.again.value ? "" : "The two passwords are different.";
}

async function send(path, body) {
	let response;
	try {
		response = await fetch(path, {
			method: "POST",
			headers: { "Content-Type": "application/json" },
			body: JSON.stringify(body),
		});
	}
	catch {
		return "The server cannot be reached. Check the connection, then try again.";
	}
	if (response.ok) {
		return "";
	}
	const answer = await response.json().catch(() => ({}));
	return answer.detail ?? `The server answered with status ${response.status}; try again.`;
}

async function submit() {
	const username = form.username.value.trim();
	const password = form.password.value;
	const wrong = problem(username, password);
	explain(wrong);
	if (wrong) {
		return;
	}
	const button = form.querySelector("button");
	button.disabled = true;
	const failure = link.kind === "reset"
		? await send("/api/auth/reset", { token: link.token, password })
		: await send("/api/auth/register", { username, password, invite: link.token });
	button.disabled = false;
	explain(failure);
	if (!failure) {
		byId("account-lead").textContent = TEXTS[link.kind].done;
		form.reset();
		form.hidden = true;
		byId("account-home").hidden = false;
	}
}

form.addEventListener("submit", (event) => {
	event.preventDefault();
	submit();
});
window.addEventListener("hashchange", read);
read();
