const BASE_MS = 1_000;
const CAP_MS = 30_000;
/** Error codes after which the same frame may be accepted later. */
const TEMPORARY = new Set(["rate-limited", "server-busy", "log-unavailable", "append-unknown", "store-unavailable",
	"check-unavailable", "issuer-unavailable"]);
/** A frame on which the server fails may fail always. */
const INTERNAL_ATTEMPTS = 5;

/** Returns whether a frame that was refused with this code after so many attempts should be sent again. */
export function isTemporary(code, attempts) {
	return TEMPORARY.has(code) || (code === "internal" && attempts < INTERNAL_ATTEMPTS);
}

/**
 * Returns how many milliseconds to wait after so many failed attempts: exponential back-off with jitter. At least half
 * of the limit, so that a refused client always waits, and at least the `retryAfter` seconds of the server.
 */
export function pause(attempts, retryAfter = 0) {
	const half = Math.min(CAP_MS, BASE_MS * 2 ** Math.max(0, attempts - 1)) / 2;
	return Math.max(half, retryAfter * 1000) + Math.random() * half;
}
