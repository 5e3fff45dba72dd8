package io.parley.server.stomp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.events.Destination;
import io.parley.server.error.ChatException;
import io.parley.server.error.Refusals;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.messaging.Message;
import org.springframework.messaging.simp.stomp.BufferingStompDecoder;
import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompDecoder;
import org.springframework.messaging.simp.stomp.StompEncoder;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.messaging.support.MessageHeaderAccessor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Passes bytes through Spring's STOMP decoder, as its STOMP handler uses it, and through
 * the header checks. Every response must be one frame.
 */
class FrameFuzzTests {

	private static final int MAX_FRAME = 256 * 1_024;

	private static final StompEncoder ENCODER = new StompEncoder();

	private static final ErrorFrames ERRORS = new ErrorFrames(new JsonMapper(),
			new Refusals(new SimpleMeterRegistry()));

	private static final List<String> FRAMES = List.of(
			"CONNECT\naccept-version:1.2,1.1\nhost:a\nheart-beat:10000,0\n" + "Authorization:Bearer x\nreceipt:r\n\n\0",
			"STOMP\npasscode:x\nheart-beat:0,0\n\n\0",
			"SUBSCRIBE\nid:room\ndestination:/topic/rooms.i3l4NkYsRLTCHWPx\nafter:1099511627777\nreceipt:y1\n\n\0",
			"SUBSCRIBE\r\nid:s\\c1\r\ndestination:/user/queue/events\r\nreceipt:\\\\a\\nb\r\n\r\n\0",
			"SUBSCRIBE\nid:s\ndestination:/topic/rooms.x.signals\nselector:a > 1\n\n\0",
			"SEND\ndestination:/app/rooms.i3l4NkYsRLTCHWPx.send\ncontent-type:application/json\nreceipt:m1\n"
					+ "content-length:29\n\n{\"clientId\":\"c1\",\"text\":\"hi\"}\0",
			"SEND\ndestination:/app/rooms.x.read\nreceipt:r\n\n{\"position\":1}\0\n\n", "UNSUBSCRIBE\nid:room\n\n\0",
			"SEND\ndestination:/app/token\n\n{}\0SEND\ndestination:/app/rooms.x.typing\n\n\0", "ACK\nid:1\n\n\0",
			"DISCONNECT\nreceipt:bye\n\n\0", "\n\r\n");

	private static final List<String> PIECES = List.of("\0", "\n", "\r", "\r\n", ":", "\\n", "\\c", "\\x", "\\",
			"\nid:", "\nreceipt:", "\ndestination:", "\nafter:", "\ncontent-length:", "\ncontent-type:",
			"/topic/rooms.", "-1", "99999999999999999999", "2147483647", "0", "SEND", "\n\n", "*", "..",
			"\u00ed\u00a0\u0080", "\u00c0\u0080", "\u00ff", "\u00f0\u009f\u0098\u0080");

	@Property
	void randomBytes(@ForAll @Size(max = 400) byte[] bytes, @ForAll int split) {
		take(bytes, split);
	}

	@Property
	void damagedFrames(@ForAll("damaged") byte[] bytes, @ForAll int split) {
		take(bytes, split);
	}

	private static void take(byte[] bytes, int split) {
		BufferingStompDecoder decoder = new BufferingStompDecoder(new StompDecoder(), MAX_FRAME);
		int first = Math.floorMod(split, bytes.length + 1);
		take(decoder, ByteBuffer.wrap(bytes, 0, first));
		take(decoder, ByteBuffer.wrap(bytes, first, bytes.length - first));
	}

	/**
	 * Spring catches what the decoder throws and ends the session with an ERROR frame.
	 */
	private static void take(BufferingStompDecoder decoder, ByteBuffer chunk) {
		List<Message<byte[]>> messages = new ArrayList<>();
		try {
			messages.addAll(decoder.decode(chunk));
		}
		catch (RuntimeException ex) {
			assertOneErrorFrame(null, ex);
		}
		messages.forEach(FrameFuzzTests::take);
	}

	private static void take(Message<byte[]> message) {
		StompHeaderAccessor frame = MessageHeaderAccessor.getAccessor(message, StompHeaderAccessor.class);
		assertThat(frame).isNotNull();
		assertOneErrorFrame(message, new IllegalStateException());
		try {
			FrameHeaders.check(frame);
		}
		catch (ChatException ex) {
			assertThat(ex.errorCode().code()).isEqualTo("bad-frame");
			return;
		}
		assertRepeats(StompCommand.RECEIPT, "receipt-id", frame.getReceipt());
		assertRepeats(StompCommand.MESSAGE, "subscription", frame.getSubscriptionId());
		assertRepeats(StompCommand.MESSAGE, "destination", frame.getDestination());
		Destination destination = Destination.parse(frame.getDestination());
		if (destination != null) {
			assertThat(destination).hasToString(frame.getDestination());
		}
		try {
			Long after = SubscribeFrames.after(frame);
			assertThat(after == null || after >= 0).isTrue();
		}
		catch (ChatException ex) {
			assertThat(ex.errorCode().code()).isEqualTo("bad-position");
		}
	}

	/**
	 * Asserts that a client header repeated by the server stays one header of one frame.
	 */
	private static void assertRepeats(StompCommand command, String name, String value) {
		if (value != null) {
			StompHeaderAccessor answer = StompHeaderAccessor.create(command);
			answer.setNativeHeader(name, value);
			StompHeaderAccessor read = onlyFrame(ENCODER.encode(answer.getMessageHeaders(), new byte[0]));
			assertThat(read.getCommand()).isEqualTo(command);
			assertThat(read.getNativeHeader(name)).containsExactly(value);
			assertThat(read.toNativeHeaderMap().keySet()).isSubsetOf(name, "content-length");
		}
	}

	private static void assertOneErrorFrame(Message<byte[]> message, RuntimeException failure) {
		Message<byte[]> error = ERRORS.handleClientMessageProcessingError(message, failure);
		StompHeaderAccessor read = onlyFrame(ENCODER.encode(error));
		assertThat(read.getCommand()).isEqualTo(StompCommand.ERROR);
		assertThat(read.getFirstNativeHeader("message")).isEqualTo("bad-frame");
	}

	/** Spring would read past U+0000 in a header; most clients end the frame there. */
	private static StompHeaderAccessor onlyFrame(byte[] bytes) {
		String text = new String(bytes, StandardCharsets.UTF_8);
		assertThat(text.indexOf('\0')).as("%s", text).isEqualTo(text.length() - 1);
		List<Message<byte[]>> messages = new StompDecoder().decode(ByteBuffer.wrap(bytes));
		assertThat(messages).as("%s", text).hasSize(1);
		return StompHeaderAccessor.wrap(messages.getFirst());
	}

	@Provide
	Arbitrary<byte[]> damaged() {
		Arbitrary<String> pieces = Arbitraries.oneOf(Arbitraries.of(PIECES),
				Arbitraries.strings().withCharRange('\0', '\u00ff').ofMaxLength(6));
		Arbitrary<List<Splice>> splices = Combinators
			.combine(Arbitraries.integers().between(0, 400), Arbitraries.integers().between(0, 8), pieces)
			.as(Splice::new)
			.list()
			.ofMaxSize(4);
		return Combinators.combine(Arbitraries.of(FRAMES), splices).as((frame, each) -> {
			String damaged = frame;
			for (Splice splice : each) {
				damaged = splice.apply(damaged);
			}
			return damaged.getBytes(StandardCharsets.ISO_8859_1);
		});
	}

	/** Replaces a range of bytes; each character stands for one byte. */
	private record Splice(int place, int cut, String insert) {

		String apply(String bytes) {
			int from = this.place % (bytes.length() + 1);
			int to = Math.min(bytes.length(), from + this.cut);
			return bytes.substring(0, from) + this.insert + bytes.substring(to);
		}

	}

}
