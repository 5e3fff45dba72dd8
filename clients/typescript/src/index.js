// @ts-check
export { connect } from "./client.js";
export { indexedDbStorage } from "./indexed-db.js";
export { SendError } from "./outbox.js";
export { ApiError } from "./rest-api.js";
export { signIn } from "./sign-in.js";
export { memoryStorage } from "./storage.js";
export { Timeline } from "./timeline.js";
