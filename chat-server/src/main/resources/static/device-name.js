const BROWSERS = [["Edg", "Edge"], ["OPR", "Opera"], ["Firefox", "Firefox"], ["FxiOS", "Firefox"], ["CriOS", "Chrome"],
	["Chrome", "Chrome"], ["Safari", "Safari"]];
const SYSTEMS = [["Android", "Android"], ["iPhone", "iPhone"], ["iPad", "iPad"], ["Windows", "Windows"], ["Mac OS X", "Mac"],
	["CrOS", "ChromeOS"], ["Linux", "Linux"]];

/** Returns what people call this device, such as "Firefox on Linux". */
export function deviceName(agent = navigator.userAgent) {
	const named = (names) => names.find(([part]) => agent.includes(part))?.[1];
	return [named(BROWSERS) ?? "Browser", named(SYSTEMS)].filter(Boolean).join(" on ");
}
