package io.parley.loadtest;

import java.net.URI;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which server, and from where. */
final class Target {

	@Option(names = "--url", description = "The server. Default: ${DEFAULT-VALUE}")
	URI url = URI.create("http://127.0.0.1:8080");

	@Option(names = "--i-own-this-host", description = "Allow a server that is not on this machine.")
	boolean owned;

	@Option(names = "--source-address",
			description = "Where connections come from; each next 20,000 use the address above. Needed for more than"
					+ " 28,000 to one server. Default: the system chooses")
	@Nullable String sourceAddress;

}
