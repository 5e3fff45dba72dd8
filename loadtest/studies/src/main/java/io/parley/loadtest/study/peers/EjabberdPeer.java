package io.parley.loadtest.study.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.parley.loadtest.study.Resources;
import io.parley.loadtest.study.peers.wire.Link;
import io.parley.loadtest.study.peers.wire.Wire;
import io.parley.loadtest.study.peers.wire.XmppWire;

/**
 * ejabberd with anonymous users and rooms of Multi-User Chat in memory, without history,
 * archive and presence of the others.
 */
final class EjabberdPeer extends ProgramPeer {

	private static final String DOMAIN = "localhost";

	EjabberdPeer() {
		super("ejabberd");
	}

	@Override
	public Promises promises() {
		return new Promises("no: the sender's copy confirms, but only from memory", "each room",
				"no; with an archive: what it has stored");
	}

	/**
	 * The program {@code ejabberdctl} of Debian runs only as root or as the user
	 * ejabberd.
	 */
	@Override
	String program(PeersCommand options) {
		library(options);
		return "erl";
	}

	@Override
	String installation() {
		return "install the package ejabberd of Debian or Ubuntu";
	}

	@Override
	String option() {
		return "or give the folder of Erlang libraries that has it with --ejabberd DIR";
	}

	@Override
	String version(PeersCommand options, String path) {
		return String.valueOf(library(options).getFileName());
	}

	/**
	 * Returns the folder of ejabberd, which is named after its version.
	 */
	private Path library(PeersCommand options) {
		Path folder = options.ejabberd.toAbsolutePath();
		try (Stream<Path> found = Files.find(folder, 2,
				(path, attributes) -> path.getFileName().toString().matches("ejabberd-[0-9].*"))) {
			return found.sorted().findFirst().orElseThrow(() -> missing("ejabberd in " + folder));
		}
		catch (NoSuchFileException ex) {
			throw missing("folder " + folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	Map<String, String> prepare(PeersCommand options, Path folder, Resources open) {
		return Map.of("ERL_LIBS", library(options).resolveSibling("").toString());
	}

	/**
	 * Without a name for the node, Erlang starts no port mapper.
	 */
	@Override
	List<String> arguments(String configurationFile) {
		return List.of("-noinput", "+K", "true", "-mnesia", "dir", "\"database\"", "-ejabberd", "config",
				"\"" + configurationFile + "\"", "-s", "ejabberd");
	}

	@Override
	String configuration(int port, int spare) {
		return """
				hosts: [%s]
				loglevel: error
				listen: [{port: %d, ip: 127.0.0.1, module: ejabberd_http, request_handlers: {/ws: ejabberd_http_ws}}]
				auth_method: anonymous
				anonymous_protocol: sasl_anon
				modules: {mod_muc: {history_size: 0, max_users: 100000, default_room_options: {presence_broadcast: []}}}
				""".formatted(DOMAIN, port);
	}

	@Override
	String configurationFile() {
		return "ejabberd.yml";
	}

	@Override
	String path() {
		return "/ws";
	}

	@Override
	String subprotocol() {
		return "xmpp";
	}

	@Override
	Wire wire(Link link, int session, String room) {
		return new XmppWire(link, DOMAIN, room + "@conference." + DOMAIN, "session" + session);
	}

}
