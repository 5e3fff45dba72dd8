package io.parley.server.limits;

import java.util.List;

import jakarta.validation.constraints.PositiveOrZero;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * What one client address may use. An IPv6 address counts by its first 64 bits. 0
 * switches a limit off.
 *
 * @param connectsPerAddress new WebSocket sessions of one address in a second; when not
 * set, half of what all addresses get together
 * @param sessionsPerAddress live WebSocket sessions of one address; when not set, half of
 * what all addresses get together
 * @param registrationsPerMinute accounts that one address may register in a minute
 * @param signInFailures failed sign-ins for one account from one address in 15 minutes;
 * four times as many for one address and all accounts, twenty times as many for one
 * account and all addresses
 * @param exemptAddresses addresses and networks that the first three limits do not apply
 * to; {@code none} for nobody
 */
@Validated
@ConfigurationProperties("chat.limits")
public record AddressLimitProperties(@PositiveOrZero @Nullable Integer connectsPerAddress,
		@PositiveOrZero @Nullable Integer sessionsPerAddress,
		@PositiveOrZero @DefaultValue("60") int registrationsPerMinute,
		@PositiveOrZero @DefaultValue("5") int signInFailures, @DefaultValue( {
				"127.0.0.0/8", "::1" }) List<String> exemptAddresses){
}
