// The server of Socket.IO that "./chat loadtest peers" starts: a socket joins one room and sends messages to it.
const { readFileSync } = require("node:fs");
const { createServer } = require("node:http");
const { Server } = require("socket.io");

const { port, options } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const http = createServer();
const io = new Server(http, options);

io.on("connection", (socket) => {
	let room;
	socket.on("join", async (name, joined) => {
		room = name;
		await socket.join(room);
		joined();
	});
	socket.on("message", (text) => io.to(room).emit("message", text));
});
http.listen(port, "127.0.0.1");
