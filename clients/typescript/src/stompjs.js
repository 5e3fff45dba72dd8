/** The only import of another package. The server serves a file of the same name that loads stompjs from its webjar. */
export { Client } from "@stomp/stompjs";
