/** The REST calls that the scripts need. */
export class Rest {

	constructor(url) {
		this.url = url;
	}

	async login(username, password) {
		const { accessToken } = await this.#call("/api/auth/login", { username, password });
		this.token = accessToken;
	}

	async post(room, clientId, text) {
		await this.#call(`/api/rooms/${room}/messages`, { clientId, text });
	}

	async #call(path, body) {
		const headers = { "Content-Type": "application/json" };
		if (this.token) {
			headers.Authorization = `Bearer ${this.token}`;
		}
		const response = await fetch(this.url + path, { method: "POST", headers, body: JSON.stringify(body) });
		if (!response.ok) {
			throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
		}
		return response.json();
	}

}

/** Resolves when the condition holds; rejects after the timeout. */
export async function until(what, condition, seconds = 60) {
	for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
		if (await condition()) {
			return;
		}
		await new Promise((resume) => setTimeout(resume, 20));
	}
	throw new Error(`Timed out after ${seconds} s waiting for: ${what}`);
}
