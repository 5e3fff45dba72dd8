const time = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: "long" });
const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long", year: "numeric" });
const shortDate = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "medium" });

export const clock = (instant) => time.format(new Date(instant));
export const exact = (instant) => full.format(new Date(instant));
export const dayKey = (instant) => new Date(instant).toDateString();

/** Returns the number of days between the date of the instant and today. */
function daysAgo(instant) {
	const midnight = (value) => new Date(value).setHours(0, 0, 0, 0);
	return Math.round((midnight(Date.now()) - midnight(instant)) / 86_400_000);
}

/** Returns Today, Yesterday, a weekday or a date. */
export function dayName(instant) {
	const days = daysAgo(instant);
	return days <= 0 ? "Today" : days === 1 ? "Yesterday" : days < 7 ? weekday.format(new Date(instant)) : date.format(new Date(instant));
}

/** Returns a short form for the room list: the time if it is today, otherwise the day. */
export function briefly(instant) {
	const days = daysAgo(instant);
	return days <= 0 ? clock(instant) : days === 1 ? "Yesterday" : shortDate.format(new Date(instant));
}

/** What ends later than this has no end that matters to people. */
export const FAR_OFF_MS = 300 * 86_400_000;

/** Returns the time of today, or the day and the time. */
export function moment(instant) {
	return daysAgo(instant) === 0 ? clock(instant) : `${shortDate.format(new Date(instant))}, ${clock(instant)}`;
}

/** Returns a length of time in words, rounded up. */
export function duration(seconds) {
	const [unit, length] = seconds < 90 ? ["second", 1] : seconds < 5_400 ? ["minute", 60] : ["hour", 3_600];
	const count = Math.ceil(seconds / length);
	return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
