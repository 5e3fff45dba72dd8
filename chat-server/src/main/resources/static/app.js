import { AccountDialog } from "./account-dialog.js";
import { Away } from "./away.js";
import { ChatClient } from "./client/chat-client.js";
import { Composer } from "./composer.js";
import { Conversation } from "./conversation.js";
import { deviceName } from "./device-name.js";
import { byId, paintAvatar } from "./dom.js";
import { heartbeatStrategy } from "./hidden-tab.js";
import { redeemLink } from "./invite-links.js";
import { renew, takeAnswer } from "./issuer-sign-in.js";
import { MentionList } from "./mention-list.js";
import { MessageDialog } from "./message-dialog.js";
import { NewConversation } from "./new-conversation.js";
import { PinList } from "./pin-list.js";
import { RoomDetails } from "./room-details.js";
import { RoomList } from "./room-list.js";
import { RoomStore } from "./room-store.js";
import { ScheduledList } from "./scheduled-list.js";
import { SendLater } from "./send-later.js";
import { SharedTokens } from "./shared-tokens.js";
import { SignIn } from "./sign-in.js";
import { Status } from "./status.js";
import { ThreadList } from "./thread-list.js";
import { ThreadPane } from "./thread-pane.js";
import { Unsent } from "./unsent.js";

/** Key in the tab's session storage, so that two tabs can have different users. */
const TOKENS = "parley.tokens";
/** Key prefix in local storage, which all tabs share: this browser counts as one device. */
const DEVICE = "parley.device.";
const RELOAD_MS = 3_000;
/** Errors without a notice: the pill shows connection problems, the composer a suspension, and typing signals and markers may be dropped. */
const QUIET = new Set(["stomp-error", "rate-limited", "bad-position", "suspended"]);

/** First, so that no code of an issuer stays in the address. */
const answer = takeAnswer();

const chat = new ChatClient({
	tokens: JSON.parse(sessionStorage.getItem(TOKENS)),
	devices: {
		get: (username) => localStorage.getItem(DEVICE + username),
		set: (username, device) => localStorage.setItem(DEVICE + username, device),
	},
	deviceName: deviceName(),
	shared: new SharedTokens(),
	renew,
	heartbeatStrategy: await heartbeatStrategy(),
});
const status = new Status(chat);
const signIn = new SignIn(chat, enter);
let leaving = false;

function enter() {
	const store = new RoomStore(chat, new Unsent(chat.username), { onChange: () => renderSoon(), onProblem: report });
	const sendLater = new SendLater(store);
	const onLater = (room, message, done) => sendLater.open(room, message, done);
	const composer = new Composer(store, { onSent: () => conversation.jump(), onLater, onProblem: report });
	const messageDialog = new MessageDialog(store, {
		onEdit: (room, message) => (message.type === "thread.posted" ? threadPane.edit(message) : composer.edit(room, message)),
		onAnswer: (room, message) => composer.answer(room, message),
		onThread: (room, { position }) => threadPane.show(room, position),
	});
	const change = (room, message) => messageDialog.open(room, message);
	const conversation = new Conversation(store, report, change, (room, root) => threadPane.show(room, root));
	const threadPane = new ThreadPane(store, { onProblem: report, onChangeMessage: change, onReact: conversation.react, onLater });
	const open = (id) => store.open(id).catch(loadLater);
	const openThread = async (room, root) => {
		if (store.current !== room) {
			await open(room.id);
		}
		threadPane.show(room, root);
	};
	const openMessage = (room, { position, thread }) => (thread ? openThread(room, thread)
		: store.reveal(room, position).then(() => requestAnimationFrame(() => conversation.show(position))).catch(report));
	new NewConversation(store);
	const views = [new RoomList(store, open), new ThreadList(store, openThread),
		new MentionList(store, openMessage, report), new PinList(store, openMessage, report),
		new ScheduledList(store, (room, message) => sendLater.edit(room, message)), conversation, composer, threadPane,
		new RoomDetails(store, openMessage), new AccountDialog(store)];
	const renderSoon = once(() => {
		views.forEach((view) => view.render());
		status.title(store);
	});
	const load = () => store.load().catch(loadLater);
	const loadLater = (error) => {
		report(error);
		setTimeout(() => chat.state.name === "online" && load(), RELOAD_MS);
	};
	byId("back").addEventListener("click", () => store.close());
	chat.on("state", ({ name }) => name === "online" && load());
	byId("me-name").textContent = chat.username;
	paintAvatar(byId("me-avatar"), chat.username);
	signIn.hide();
	byId("chat").hidden = false;
	chat.connect();
	new Away(chat);
	const join = () => redeemLink(chat).then((id) => id && store.adopt(id)).catch(report);
	window.addEventListener("hashchange", join);
	join();
	renderSoon();
}

/** Combines the calls within one animation frame. Hidden tabs get no animation frames and use a timer instead. */
function once(action) {
	let asked = false;
	return () => {
		if (!asked) {
			asked = true;
			const schedule = document.hidden ? setTimeout : requestAnimationFrame;
			schedule(() => {
				asked = false;
				action();
			});
		}
	};
}

function report(error) {
	if (error.temporary === undefined) {
		throw error;
	}
	if (error.status !== 401) {
		status.toast(error.message);
	}
}

function wake() {
	if (!document.hidden) {
		chat.retryNow();
	}
}

chat.on("tokens", (tokens) =>
	tokens ? sessionStorage.setItem(TOKENS, JSON.stringify(tokens)) : sessionStorage.removeItem(TOKENS));
chat.on("signed-out", () => {
	leaving || SignIn.explainNext("Your sign-in has ended. Sign in again.");
	location.reload();
});
chat.on("error", ({ clientId, code, message }) => !clientId && !QUIET.has(code) && status.toast(message));
document.querySelectorAll("[data-close]").forEach((button) =>
	button.addEventListener("click", () => button.closest("dialog").close()));
window.addEventListener("online", wake);
document.addEventListener("visibilitychange", wake);
byId("signout").addEventListener("click", () => {
	leaving = true;
	chat.logout();
});

if (chat.username) {
	enter();
}
else {
	signIn.show(answer);
}
byId("load-problem").hidden = true;
