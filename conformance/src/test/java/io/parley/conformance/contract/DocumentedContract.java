package io.parley.conformance.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.Contract;
import io.parley.server.testing.Frame;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Compares what the test clients send and receive with docs/api, and notes what was seen.
 * {@link ContractExtension} reports the differences.
 */
public final class DocumentedContract implements Contract {

	private static final int MAX_SHOWN = 2_000;

	private static final Queue<String> DIFFERENCES = new ConcurrentLinkedQueue<>();

	private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

	private final FrameContract frames;

	private final AnswerContract answers;

	public DocumentedContract() {
		Schemas schemas = new Schemas();
		this.frames = new FrameContract(schemas);
		this.answers = new AnswerContract(schemas);
		Path notes = notes();
		if (notes != null) {
			Runtime.getRuntime().addShutdownHook(new Thread(() -> write(notes)));
		}
	}

	/**
	 * Returns the folder for what the JVMs of this run have seen, or null if the run has
	 * no name.
	 */
	static @Nullable Path notes() {
		String run = System.getProperty("parley.test.run");
		return (run != null) ? Path.of("target", "contract", run) : null;
	}

	private static void write(Path notes) {
		try {
			Files.createDirectories(notes);
			Files.write(notes.resolve(String.valueOf(ProcessHandle.current().pid())), SEEN);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns the differences since the last call. */
	static List<String> takeDifferences() {
		List<String> taken = new ArrayList<>();
		for (String one = DIFFERENCES.poll(); one != null; one = DIFFERENCES.poll()) {
			taken.add(one);
		}
		return taken;
	}

	@Override
	public void received(Frame frame) {
		if (!frame.command().isEmpty()) {
			check(() -> this.frames.check(frame.command(), frame.headers(), frame.body()), frame);
		}
	}

	@Override
	public void confirmed(String command, Map<String, String> headers, String body) {
		check(() -> this.frames.check(command, headers, body), Map.of(command, headers, "body", body));
	}

	@Override
	public void answered(String method, String path, byte[] body, ChatApi.Answer answer) {
		check(() -> this.answers.check(method, path, body, answer), answer.response().body());
	}

	private static void check(Check check, Object shown) {
		try {
			String name = check.run();
			if (name != null) {
				SEEN.add(name);
			}
		}
		catch (ContractException | JacksonException ex) {
			String text = shown.toString();
			DIFFERENCES.add(ex.getMessage() + "\n  in " + text.substring(0, Math.min(text.length(), MAX_SHOWN)));
		}
	}

	private interface Check {

		@Nullable String run();

	}

}
