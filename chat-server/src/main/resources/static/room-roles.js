/** The roles in a room, the lowest first. */
const ROLES = ["reader", "member", "moderator", "owner"];

export function moderates(role) {
	return rank(role) >= rank("moderator");
}

/** Whether a member of that role may remove, ban and mute a member of the other role. */
export function mayModerate(role, target) {
	return moderates(role) && rank(role) > rank(target);
}

/** Returns the roles that a member may give to another one, or to themselves; without a choice it is empty. */
export function mayGive(role, target, self) {
	if (self) {
		return role === "moderator" ? ROLES.slice(0, rank(role) + 1) : [];
	}
	if (!mayModerate(role, target)) {
		return [];
	}
	return role === "owner" ? ROLES : ROLES.slice(0, rank(role));
}

/** Whether the user may pin messages in the room; there are no roles in a direct room. */
export function mayPin(room) {
	return !isMuted(room) && (room.kind === "direct" || moderates(room.role) || (room.memberPins && room.role === "member"));
}

/** Whether a mute still lasts. */
export function isMuted({ mutedUntil }) {
	return Boolean(mutedUntil) && Date.parse(mutedUntil) > Date.now();
}

function rank(role) {
	return ROLES.indexOf(role);
}
