import { duration } from "./times.js";

/** Checks input; the sentence is shown to the user. */
export function require(condition, sentence) {
	if (!condition) {
		throw new Error(sentence);
	}
}

/** Runs the action when the form is submitted; the form cannot be submitted again meanwhile. */
export function onSubmit(form, action, part = form) {
	form.addEventListener("submit", async (event) => {
		event.preventDefault();
		const buttons = [...form.querySelectorAll("button")].filter((button) => !button.disabled);
		const focused = document.activeElement;
		buttons.forEach((button) => (button.disabled = true));
		await attempt(part, action);
		buttons.forEach((button) => (button.disabled = false));
		if (document.activeElement === document.body && buttons.includes(focused)) {
			focused.focus();
		}
	});
}

/** Runs the action and explains its failure in that part of the page. Resolves with whether it succeeded. */
export async function attempt(part, action) {
	explain(part, "");
	try {
		await action();
		return true;
	}
	catch (error) {
		explain(part, inWords(error));
		return false;
	}
}

export function explain(part, sentence) {
	part.querySelector(":scope > .error").textContent = sentence;
}

/** The first click asks, the second one acts. Without a second click the button takes its first text again. */
export function sure(button, question, action) {
	const text = button.textContent;
	const reset = () => {
		button.textContent = text;
		delete button.dataset.sure;
	};
	button.addEventListener("blur", reset);
	button.addEventListener("click", () => {
		if (button.dataset.sure) {
			reset();
			action();
			return;
		}
		button.dataset.sure = "asked";
		button.textContent = question;
	});
	return button;
}

function inWords(error) {
	if (error.code === "rate-limited" && error.retryAfter) {
		return `Too many attempts. Try again in ${duration(error.retryAfter)}.`;
	}
	return error.message;
}
