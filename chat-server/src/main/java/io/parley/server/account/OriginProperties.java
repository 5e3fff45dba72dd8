package io.parley.server.account;

import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which web pages may open a WebSocket.
 *
 * @param allowedOrigins such as {@code https://chat.example.org}; none means: only pages
 * of this server. Clients that are no browsers send no origin and are let in
 */
@ConfigurationProperties("chat.security")
public record OriginProperties(@DefaultValue List<String> allowedOrigins) {
}
