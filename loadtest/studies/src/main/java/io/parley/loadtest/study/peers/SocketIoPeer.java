package io.parley.loadtest.study.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.parley.loadtest.study.Resources;
import io.parley.loadtest.study.peers.wire.Link;
import io.parley.loadtest.study.peers.wire.SocketIoWire;
import io.parley.loadtest.study.peers.wire.Wire;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;

/**
 * Socket.IO in one process of Node, with its adapter in memory and over WebSocket only.
 */
final class SocketIoPeer extends ProgramPeer {

	private static final String SERVER = "socketio-server.js";

	SocketIoPeer() {
		super("socketio");
	}

	@Override
	public Promises promises() {
		return new Promises("no, and not confirmed", "each room",
				"no; with connection state recovery: what its memory still holds");
	}

	@Override
	String program(PeersCommand options) {
		if (!Files.isDirectory(library(options))) {
			throw missing("Socket.IO in " + options.socketio.toAbsolutePath());
		}
		return "node";
	}

	private static Path library(PeersCommand options) {
		return modules(options).resolve("socket.io");
	}

	private static Path modules(PeersCommand options) {
		return options.socketio.toAbsolutePath().resolve("node_modules");
	}

	@Override
	String installation() {
		return "install Node, run \"npm install socket.io@4.8\" in a folder";
	}

	@Override
	String option() {
		return "and give this folder with --socketio DIR";
	}

	@Override
	String version(PeersCommand options, String path) {
		return "socket.io " + output(Stream.of(path, "-p",
				"require('%s/package.json').version + ', Node ' + process.version".formatted(library(options))));
	}

	@Override
	Map<String, String> prepare(PeersCommand options, Path folder, Resources open) {
		write(folder.resolve(SERVER), server());
		return Map.of("NODE_PATH", modules(options).toString(), "NODE_ENV", "production");
	}

	private static String server() {
		try {
			return new ClassPathResource(SERVER, SocketIoPeer.class).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	List<String> arguments(String configurationFile) {
		return List.of(SERVER, configurationFile);
	}

	@Override
	String configuration(int port, int spare) {
		return "{\"port\":%d,\"options\":{\"transports\":[\"websocket\"],\"serveClient\":false}}".formatted(port);
	}

	@Override
	String configurationFile() {
		return "socketio.json";
	}

	@Override
	String path() {
		return "/socket.io/?EIO=4&transport=websocket";
	}

	@Override
	@Nullable String subprotocol() {
		return null;
	}

	@Override
	Wire wire(Link link, int session, String room) {
		return new SocketIoWire(link, room);
	}

}
