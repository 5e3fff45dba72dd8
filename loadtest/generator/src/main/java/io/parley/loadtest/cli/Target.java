package io.parley.loadtest.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The server and the source addresses of the connections.
 */
public final class Target {

	private static final int MAX_FROM_ONE_ADDRESS = 25_000;

	/** Linux provides about 28,000 ports per source address to one server. */
	private static final int SESSIONS_PER_ADDRESS = 20_000;

	private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost");

	@Option(names = "--url", description = "The server. Default: ${DEFAULT-VALUE}")
	public URI url = URI.create("http://127.0.0.1:8080");

	@Option(names = "--i-own-this-host", description = "Allow a server that is not on this machine.")
	public boolean owned;

	@Option(names = "--source", split = ",", paramLabel = "<address>",
			description = "Source addresses of this machine for the connections, separated by commas, used in turn:"
					+ " one has ports for about 28,000 to one server. Default: chosen by the system; 127.0.0.2 and up"
					+ " for more than 25,000 to 127.0.0.1")
	public List<String> sources = List.of();

	@Option(names = "--server-pid", description = "Process of the server, on this machine: report its resource use.")
	public @Nullable Long serverPid;

	/**
	 * Returns the source addresses for that many sessions, to be used in turn; empty to
	 * let the system choose.
	 */
	public List<String> sources(int sessions) {
		boolean needed = sessions > MAX_FROM_ONE_ADDRESS && LOOPBACK.contains(this.url.getHost());
		return (this.sources.isEmpty() && needed) ? IntStream.range(0, Math.ceilDiv(sessions, SESSIONS_PER_ADDRESS))
			.mapToObj((n) -> "127.0.0." + (n + 2))
			.toList() : this.sources;
	}

	/**
	 * Returns the source address.
	 * @throws LoadTestException when it is not an address of this machine
	 */
	public static InetAddress source(String address) {
		InetAddress source = parse(address);
		try (Socket socket = new Socket()) {
			socket.bind(new InetSocketAddress(source, 0));
			return source;
		}
		catch (IOException ex) {
			throw new LoadTestException(
					("--source %s is no address of this machine (%s): \"ip address\" lists them, and on"
							+ " Linux each 127.x.y.z is one.")
						.formatted(address, ex.getMessage()));
		}
	}

	private static InetAddress parse(String address) {
		try {
			return InetAddress.getByName(address);
		}
		catch (UnknownHostException ex) {
			throw new LoadTestException("--source " + address + " is not an address, as 127.0.0.2.");
		}
	}

}
