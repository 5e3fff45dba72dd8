package io.parley.server.broker;

import java.util.List;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of the fan-out to subscribers.
 *
 * @param mode {@code simple}: Spring's in-memory broker; {@code relay}: an external STOMP
 * broker; {@code bus}: this server's own hub, for many sessions and servers
 * @param relay the external broker
 */
@Validated
@ConfigurationProperties("chat.broker")
public record BrokerProperties(@DefaultValue("simple") Mode mode, @Valid @DefaultValue Relay relay) {

	public enum Mode {

		SIMPLE, RELAY, BUS

	}

	public enum Connections {

		/** Each client has its own connection to the broker, through Spring's relay. */
		PER_SESSION,

		/** Each server has one connection, and fans out itself. */
		PER_NODE

	}

	public enum Kind {

		RABBITMQ, ARTEMIS, ACTIVEMQ

	}

	/**
	 * The external broker.
	 *
	 * @param connections whether each client or each server has a connection
	 * @param kind the dialect of STOMP that the broker speaks
	 * @param host one or more addresses of the same broker or cluster, each with or
	 * without a port; if the first does not answer, the next one is used
	 * @param port the port of addresses without one
	 * @param username the user of all connections
	 * @param password the password of all connections
	 * @param virtualHost the virtual host of RabbitMQ; the others ignore it
	 */
	public record Relay(@DefaultValue("per-session") Connections connections, @DefaultValue("rabbitmq") Kind kind,
			@NotEmpty @DefaultValue("localhost") List<@NotBlank String> host,
			@Min(1) @Max(65_535) @DefaultValue("61613") int port, @NotBlank @DefaultValue("guest") String username,
			@DefaultValue("guest") String password, @NotBlank @DefaultValue("/") String virtualHost) {

		@Override
		public String toString() {
			return this.kind + " at " + this.host + ", port " + this.port;
		}

	}

}
