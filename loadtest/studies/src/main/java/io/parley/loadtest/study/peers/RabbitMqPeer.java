package io.parley.loadtest.study.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.parley.loadtest.local.ChildProcess;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.report.HeapSource;
import io.parley.loadtest.study.Resources;
import io.parley.loadtest.study.peers.wire.Link;
import io.parley.loadtest.study.peers.wire.RabbitMqWire;
import io.parley.loadtest.study.peers.wire.Wire;

/**
 * RabbitMQ with its plugin Web-STOMP. Each session has a queue in memory, bound to the
 * topic of its room. Messages are sent without receipts, which is its fastest mode.
 */
final class RabbitMqPeer extends ProgramPeer {

	RabbitMqPeer() {
		super("rabbitmq");
	}

	@Override
	public Promises promises() {
		return new Promises("no, and not confirmed", "each sender",
				"no; with a durable subscription: what its queue holds");
	}

	/**
	 * The program {@code rabbitmq-server} on PATH of Debian would switch to another user.
	 */
	@Override
	String program(PeersCommand options) {
		return options.rabbitmq;
	}

	@Override
	String installation() {
		return "install the package rabbitmq-server of Debian or Ubuntu";
	}

	/**
	 * Returns the name of the folder of the installation, which ends with the version:
	 * the tools of RabbitMQ would start a daemon to print it.
	 */
	@Override
	String version(PeersCommand options, String path) {
		try {
			return String.valueOf(Path.of(path).toRealPath().resolve("../..").normalize().getFileName());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Starts a port mapper of Erlang for this server only. Without it, the server would
	 * start one that outlives it.
	 */
	@Override
	Map<String, String> prepare(PeersCommand options, Path folder, Resources open) {
		int port = ChildProcess.freePort();
		Map<String, String> mapper = Map.of("ERL_EPMD_PORT", Integer.toString(port), "ERL_EPMD_ADDRESS", "127.0.0.1");
		ChildProcess epmd = open.add(new ChildProcess("epmd", ChildProcess.folder(), List.of(find("epmd")), mapper,
				ChildProcess.Ending.SIGNAL));
		epmd.await(() -> LocalServer.listens(port), HeapSource.NONE);
		Path plugins = folder.resolve("enabled_plugins");
		write(plugins, "[rabbitmq_web_stomp].\n");
		Map<String, String> environment = new HashMap<>(mapper);
		environment.put("HOME", folder.toString());
		environment.put("RABBITMQ_CONF_ENV_FILE", "/dev/null");
		environment.put("RABBITMQ_CONFIG_FILE", folder.resolve(configurationFile()).toString());
		environment.put("RABBITMQ_ENABLED_PLUGINS_FILE", plugins.toString());
		environment.put("RABBITMQ_MNESIA_BASE", folder.resolve("database").toString());
		environment.put("RABBITMQ_LOG_BASE", folder.resolve("log").toString());
		environment.put("RABBITMQ_LOGS", "-");
		environment.put("RABBITMQ_NODENAME", "peer@localhost");
		return environment;
	}

	@Override
	List<String> arguments(String configurationFile) {
		return List.of();
	}

	@Override
	String configuration(int port, int spare) {
		return """
				listeners.tcp = none
				stomp.listeners.tcp = none
				web_stomp.tcp.ip = 127.0.0.1
				web_stomp.tcp.port = %d
				distribution.listener.interface = 127.0.0.1
				distribution.listener.port_range.min = %2$d
				distribution.listener.port_range.max = %2$d
				log.console.level = error
				""".formatted(port, spare);
	}

	@Override
	String configurationFile() {
		return "rabbitmq.conf";
	}

	@Override
	String path() {
		return "/ws";
	}

	@Override
	String subprotocol() {
		return "v12.stomp";
	}

	@Override
	Wire wire(Link link, int session, String room) {
		return new RabbitMqWire(link, room);
	}

}
