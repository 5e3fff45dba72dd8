package io.parley.loadtest.capacity;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.parley.loadtest.capacity.CapacityCommand.Proxy;
import io.parley.loadtest.cli.Target;
import io.parley.loadtest.local.Checkout;
import io.parley.loadtest.local.LocalNginx;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.report.ProcessStat;
import org.jspecify.annotations.Nullable;

/**
 * The server of a capacity run: a new server of this checkout, or a running server named
 * by an option.
 */
final class ServerUnderTest implements AutoCloseable {

	private static final int MAX_LOG_BYTES = 4_000_000;

	private final CapacityCommand options;

	private @Nullable LocalServer local;

	private @Nullable LocalNginx nginx;

	ServerUnderTest(CapacityCommand options) {
		this.options = options;
		start();
	}

	private void start() {
		if (this.options.url != null) {
			return;
		}
		List<String> settings = new ArrayList<>(List.of("chat.broker.mode=" + this.options.mode,
				"chat.limits.connects-per-second=0", "chat.security.jwt.access-ttl=12h"));
		settings.addAll(this.options.settings);
		System.out.printf("starting a chat-server, mode %s, heap %s%n", this.options.mode, this.options.serverHeap);
		LocalServer server = LocalServer.start(Checkout.chatServer(), List.of("-Xmx" + this.options.serverHeap),
				settings);
		this.local = server;
		if (this.options.through == Proxy.nginx) {
			try {
				this.nginx = LocalNginx.start(server.url());
			}
			catch (RuntimeException ex) {
				server.close();
				throw ex;
			}
		}
	}

	boolean isBehindNginx() {
		return this.nginx != null;
	}

	Target target() {
		Target target = new Target();
		target.owned = this.options.owned;
		target.url = url();
		return target;
	}

	private URI url() {
		if (this.nginx != null) {
			return this.nginx.url();
		}
		return (this.local != null) ? this.local.url() : Objects.requireNonNull(this.options.url);
	}

	/**
	 * Returns the server's process id; null when the process is unknown or on another
	 * machine.
	 */
	@Nullable Long pid() {
		return (this.local != null) ? Long.valueOf(this.local.pid()) : this.options.serverPid;
	}

	/**
	 * Returns the state of the server's process; null when it is unknown or has ended.
	 */
	@Nullable ProcessStat process() {
		Long pid = pid();
		return (pid != null) ? ProcessStat.read(pid) : null;
	}

	/**
	 * Returns whether the server was started by this object and has ended by itself.
	 */
	boolean hasEnded() {
		return this.local != null && process() == null;
	}

	/**
	 * Replaces a server started by this object with a new one. Does nothing for any other
	 * server.
	 */
	void renew() {
		if (this.local != null) {
			close();
			start();
		}
	}

	boolean ranOutOfMemory() {
		LocalServer server = this.local;
		if (server == null) {
			return false;
		}
		try {
			return Files.size(server.log()) < MAX_LOG_BYTES
					&& Files.readString(server.log(), StandardCharsets.ISO_8859_1).contains("OutOfMemoryError");
		}
		catch (IOException ex) {
			return false;
		}
	}

	String description() {
		return (this.local != null)
				? "chat-server of this checkout, mode %s, heap %s%s".formatted(this.options.mode,
						this.options.serverHeap, (this.options.through == Proxy.nginx) ? ", behind nginx" : "")
				: String.valueOf(this.options.url);
	}

	@Override
	public void close() {
		if (this.nginx != null) {
			this.nginx.close();
		}
		if (this.local != null) {
			this.local.close();
		}
	}

}
