package io.parley.server.limits;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.List;

import io.parley.server.settings.ImpossibleSettingsException;
import org.jspecify.annotations.Nullable;

import org.springframework.security.web.util.matcher.IpAddressMatcher;
import org.springframework.stereotype.Component;

/**
 * Maps client addresses to the keys under which they are limited, and knows the exempt
 * addresses. Safe for use by many threads. Never queries a name server.
 */
@Component
public class ClientAddresses {

	private static final String NONE = "none";

	/** An IPv6 customer usually has a network of this size. */
	private static final int IPV6_NETWORK_BYTES = 8;

	private final List<IpAddressMatcher> exempt;

	ClientAddresses(AddressLimitProperties limits) {
		this.exempt = limits.exemptAddresses()
			.stream()
			.map(String::strip)
			.filter((network) -> !network.isEmpty() && !network.equals(NONE))
			.map(ClientAddresses::matcher)
			.toList();
	}

	private static IpAddressMatcher matcher(String network) {
		try {
			return new IpAddressMatcher(network);
		}
		catch (IllegalArgumentException ex) {
			throw new ImpossibleSettingsException("chat.limits.exempt-addresses holds '" + network
					+ "', which is not an address or network: use a form such as 10.0.0.0/8, or 'none'.");
		}
	}

	/**
	 * Returns the key under which an address is counted. An IPv6 address is counted by
	 * its network. Text that is not an address is returned unchanged.
	 */
	public String key(String remoteAddress) {
		InetAddress address = parse(remoteAddress);
		if (address == null) {
			return remoteAddress;
		}
		return (address instanceof Inet6Address)
				? HexFormat.of().formatHex(address.getAddress(), 0, IPV6_NETWORK_BYTES) + "/64"
				: address.getHostAddress();
	}

	/** Returns whether {@code chat.limits.exempt-addresses} contains the address. */
	public boolean isExempt(String remoteAddress) {
		InetAddress address = parse(remoteAddress);
		return address != null && this.exempt.stream().anyMatch((network) -> network.matches(address.getHostAddress()));
	}

	/**
	 * Returns null if the text is not an address, such as the name of a Unix domain
	 * socket.
	 */
	private static @Nullable InetAddress parse(String remoteAddress) {
		try {
			return InetAddress.ofLiteral(remoteAddress);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

}
