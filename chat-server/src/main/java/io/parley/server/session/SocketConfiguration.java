package io.parley.server.session;

import io.parley.server.websocket.JettyUpgrade;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configures the WebSockets of the sessions. */
@Configuration(proxyBeanMethods = false)
class SocketConfiguration {

	@Bean
	JettyUpgrade jettyUpgrade(Admission admission, SessionProperties properties) {
		return new JettyUpgrade(admission, properties.idleTimeout(), properties.frameBytes().toBytes());
	}

}
