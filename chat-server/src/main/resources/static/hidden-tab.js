const ANSWER_MS = 500;

/**
 * Browsers slow the timers of hidden tabs down to one a minute, too slow for heart-beats; a worker's timers
 * run on. Answers `worker` where the page may start one from a blob, as stompjs does, else `interval`.
 */
export function heartbeatStrategy() {
	return new Promise((answer) => {
		setTimeout(() => answer("interval"), ANSWER_MS);
		try {
			const worker = new Worker(URL.createObjectURL(new Blob(["postMessage(1)"], { type: "text/javascript" })));
			worker.onerror = () => answer("interval");
			worker.onmessage = () => {
				worker.terminate();
				answer("worker");
			};
		}
		catch {
			answer("interval");
		}
	});
}
