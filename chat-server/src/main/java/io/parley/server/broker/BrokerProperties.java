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
 * Who fans out to the subscribers.
 *
 * @param mode {@code simple}: Spring's broker in memory; {@code relay}: a STOMP broker
 * outside; {@code bus}: this server's own hub, made for many sessions and servers
 * @param relay the broker outside
 */
@Validated
@ConfigurationProperties("chat.broker")
public record BrokerProperties(@DefaultValue("simple") Mode mode, @Valid @DefaultValue Relay relay) {

	public enum Mode {

		SIMPLE, RELAY, BUS

	}

	public enum Connections {

		/** Each client has a connection of its own to the broker, by Spring's relay. */
		PER_SESSION,

		/** The server has one, and fans out itself. */
		PER_NODE

	}

	public enum Kind {

		RABBITMQ, ARTEMIS, ACTIVEMQ

	}

	/**
	 * The broker outside.
	 *
	 * @param connections who is connected to it
	 * @param kind which dialect of STOMP it speaks
	 * @param host one or more addresses of the same broker or cluster, each with a port
	 * or without: when the first does not answer, the next is taken
	 * @param port for addresses without one
	 * @param username for all connections
	 * @param password for all connections
	 * @param virtualHost of RabbitMQ; the others ignore it
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
