package io.parley.server.limits;

import java.util.List;

import jakarta.validation.constraints.PositiveOrZero;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Limits for one client address. An IPv6 address counts by its first 64 bits. A value of
 * 0 switches a limit off.
 *
 * @param connectsPerAddress new WebSocket sessions per second from one address; when not
 * set, half of the limit for all addresses together
 * @param sessionsPerAddress live WebSocket sessions from one address; when not set, half
 * of the limit for all addresses together
 * @param registrationsPerMinute accounts that one address may register per minute
 * @param signInFailures failed sign-ins to one account from one address in 15 minutes;
 * four times as many from one address to all accounts, and twenty times as many to one
 * account from all addresses
 * @param exemptAddresses addresses and networks to which the first three limits do not
 * apply; {@code none} exempts no address
 */
@Validated
@ConfigurationProperties("chat.limits")
public record AddressLimitProperties(@PositiveOrZero @Nullable Integer connectsPerAddress,
		@PositiveOrZero @Nullable Integer sessionsPerAddress,
		@PositiveOrZero @DefaultValue("60") int registrationsPerMinute,
		@PositiveOrZero @DefaultValue("5") int signInFailures, @DefaultValue( {
				"127.0.0.0/8", "::1" }) List<String> exemptAddresses){
}
