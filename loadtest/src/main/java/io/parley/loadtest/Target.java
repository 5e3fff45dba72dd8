package io.parley.loadtest;

import java.net.URI;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which server, and from where. */
final class Target {

	private static final int MOST_FROM_ONE_ADDRESS = 25_000;

	private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost");

	@Option(names = "--url", description = "The server. Default: ${DEFAULT-VALUE}")
	URI url = URI.create("http://127.0.0.1:8080");

	@Option(names = "--i-own-this-host", description = "Allow a server that is not on this machine.")
	boolean owned;

	@Option(names = "--source-address",
			description = "Where connections come from; each next 20,000 use the address above. Needed for more than"
					+ " 28,000 to one server. Default: the system chooses, 127.0.0.2 for more than 25,000 to 127.0.0.1")
	@Nullable String sourceAddress;

	@Option(names = "--server-pid", description = "Process of the server, on this machine: report what it needs.")
	@Nullable Long serverPid;

	/**
	 * The first address that so many sessions come from; null to let the system choose.
	 */
	@Nullable String firstSource(int sessions) {
		boolean needed = sessions > MOST_FROM_ONE_ADDRESS && LOOPBACK.contains(this.url.getHost());
		return (this.sourceAddress == null && needed) ? "127.0.0.2" : this.sourceAddress;
	}

}
