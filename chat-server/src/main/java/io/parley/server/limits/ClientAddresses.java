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
 * Tells client addresses apart. Safe for use by many threads; never asks a name server.
 */
@Component
public class ClientAddresses {

	private static final String NOBODY = "none";

	/** An IPv6 customer usually has a network of this size. */
	private static final int IPV6_NETWORK_BYTES = 8;

	private final List<IpAddressMatcher> exempt;

	ClientAddresses(AddressLimitProperties limits) {
		this.exempt = limits.exemptAddresses()
			.stream()
			.map(String::strip)
			.filter((network) -> !network.isEmpty() && !network.equals(NOBODY))
			.map(ClientAddresses::matcher)
			.toList();
	}

	private static IpAddressMatcher matcher(String network) {
		try {
			return new IpAddressMatcher(network);
		}
		catch (IllegalArgumentException ex) {
			throw new ImpossibleSettingsException("chat.limits.exempt-addresses holds '" + network
					+ "', which is no address or network: write it like 10.0.0.0/8, or 'none' for nobody.");
		}
	}

	/** The key under which an address is counted; IPv6 addresses count by network. */
	public String key(String remoteAddress) {
		InetAddress address = parse(remoteAddress);
		if (address == null) {
			return remoteAddress;
		}
		return (address instanceof Inet6Address)
				? HexFormat.of().formatHex(address.getAddress(), 0, IPV6_NETWORK_BYTES) + "/64"
				: address.getHostAddress();
	}

	/** Whether the limits for an address that count connects do not apply. */
	public boolean isExempt(String remoteAddress) {
		InetAddress address = parse(remoteAddress);
		return address != null && this.exempt.stream().anyMatch((network) -> network.matches(address.getHostAddress()));
	}

	/** Null for what is no address, such as the name of a Unix domain socket. */
	private static @Nullable InetAddress parse(String remoteAddress) {
		try {
			return InetAddress.ofLiteral(remoteAddress);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

}
