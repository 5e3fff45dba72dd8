package io.parley.server.account;

import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The web pages that may open a WebSocket.
 *
 * @param allowedOrigins origins such as {@code https://chat.example.org}; if empty, only
 * pages of this server. Clients that are not browsers send no origin and are always
 * accepted
 */
@ConfigurationProperties("chat.security")
public record OriginProperties(@DefaultValue List<String> allowedOrigins) {
}
