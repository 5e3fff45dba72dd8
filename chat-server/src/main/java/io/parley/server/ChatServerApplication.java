package io.parley.server;

import io.parley.log.health.ExitWhenBroken;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** Entry point of the chat server. With the embedded log it hosts the workers too. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class ChatServerApplication {

	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(ChatServerApplication.class);
		application.addListeners(new ExitWhenBroken());
		application.run(args);
	}

}
