const ANSWER_MS = 500;

/**
 * Returns `worker` if the page may start a worker from a blob, as stompjs does, otherwise `interval`. Browsers throttle
 * the timers of hidden tabs to one call a minute, too slow for heart-beats; timers of a worker are not throttled.
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
