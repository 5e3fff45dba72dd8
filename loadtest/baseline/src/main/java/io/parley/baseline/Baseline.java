package io.parley.baseline;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.util.AntPathMatcher;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;

/**
 * A chat on Tomcat and Spring's in-memory broker, without sign-in and without storage.
 */
@SpringBootApplication
@EnableWebSocketMessageBroker
public class Baseline implements WebSocketMessageBrokerConfigurer {

	/** Starts the server. */
	public static void main(String[] args) {
		SpringApplication.run(Baseline.class, args);
	}

	@Override
	public void registerStompEndpoints(StompEndpointRegistry registry) {
		registry.addEndpoint("/ws");
	}

	@Override
	public void configureMessageBroker(MessageBrokerRegistry registry) {
		registry.enableSimpleBroker("/topic");
		registry.setApplicationDestinationPrefixes("/app").setPathMatcher(new AntPathMatcher("."));
	}

}
