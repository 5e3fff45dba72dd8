package io.parley.server.stomp;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import io.parley.server.session.ChatSession;
import io.parley.server.session.InboundExecutor;
import io.parley.server.session.SessionExecutor;
import io.parley.server.session.SessionRegistry;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.simp.annotation.support.SimpAnnotationMethodMessageHandler;
import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.messaging.support.MessageBuilder;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests tasks that are still queued for a session when its socket closes. */
@UnlimitedServer
@ExtendWith(OutputCaptureExtension.class)
class EndedSessionIntegrationTests {

	private final ChatServer server;

	private final SessionRegistry sessions;

	private final SessionExecutor executor;

	private final MessageChannel inbound;

	private final SimpAnnotationMethodMessageHandler handlers;

	EndedSessionIntegrationTests(ChatServer server, SessionRegistry sessions, InboundExecutor inboundExecutor,
			@Qualifier("clientInboundChannel") MessageChannel inbound, SimpAnnotationMethodMessageHandler handlers) {
		this.server = server;
		this.sessions = sessions;
		this.executor = inboundExecutor.executor();
		this.inbound = inbound;
		this.handlers = handlers;
	}

	@Test
	void skipsAQueuedSendWithoutAnError(CapturedOutput output) {
		String room = this.server.room("ellen");
		StompConnection connection = this.server.connect("ellen");
		ChatSession session = this.sessions.of("ellen").iterator().next();
		CountDownLatch gone = new CountDownLatch(1);
		CountDownLatch handled = new CountDownLatch(1);
		this.executor.execute(session.id(), () -> await(gone));
		this.inbound.send(send(session, "/app/rooms." + room + ".send"));
		this.executor.execute(session.id(), handled::countDown);
		connection.abort();
		Awaitility.await().until(() -> this.sessions.find(session.id()) == null);
		gone.countDown();
		await(handled);
		assertThat(output).doesNotContain("The session has ended");
	}

	@Test
	void ignoresASendWhoseSessionEndsDuringHandling(CapturedOutput output) {
		String room = this.server.room("fritz");
		StompConnection connection = this.server.connect("fritz");
		ChatSession session = this.sessions.of("fritz").iterator().next();
		connection.abort();
		Awaitility.await().until(() -> this.sessions.find(session.id()) == null);
		this.handlers.handleMessage(send(session, "/app/rooms." + room + ".send"));
		assertThat(output).doesNotContain("Error while processing handler method exception");
	}

	private static Message<byte[]> send(ChatSession session, String destination) {
		StompHeaderAccessor headers = StompHeaderAccessor.create(StompCommand.SEND);
		headers.setSessionId(session.id());
		Map<String, Object> attributes = new HashMap<>();
		session.addTo(attributes);
		headers.setSessionAttributes(attributes);
		headers.setUser(session.principal());
		headers.setDestination(destination);
		headers.setLeaveMutable(true);
		byte[] body = "{\"clientId\":\"late\",\"text\":\"late\"}".getBytes(StandardCharsets.UTF_8);
		return MessageBuilder.createMessage(body, headers.getMessageHeaders());
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
