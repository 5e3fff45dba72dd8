package io.parley.loadtest.study.transports;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The five tables of the study of 2004.
 */
enum Experiment {

	/** One client sends a message and reads it back, repeatedly. */
	TRANSFER("Transfer: send to the server and read back", false),
	/** Clients connect, each sends one message, and each message goes to all clients. */
	CAPACITY("Capacity: all connect, and one message of each goes to all", true),
	/** Each client sends messages, and each message goes to all clients. */
	BROADCAST("Broadcast: each message of each client goes to all", true),
	/** Each client sends messages and reads each one back before the next. */
	ECHO("Echo: each client reads each of its messages back before the next", false),
	/** One client sends messages of increasing size. */
	SIZE("Message size: one client sends and reads back", false);

	private static final int USUAL_BYTES = 100;

	private static final int[] CLIENTS = { 100, 300, 500, 700, 900 };

	private static final int SIZES = 10;

	private static final int ECHOES = 1000;

	final String title;

	/** Whether a message goes to all clients; otherwise it goes to its sender only. */
	final boolean toAll;

	Experiment(String title, boolean toAll) {
		this.title = title;
		this.toAll = toAll;
	}

	/**
	 * Returns the cells of the table, with the numbers of clients and messages scaled
	 * down.
	 */
	List<Cell> cells(double scale) {
		return switch (this) {
			case TRANSFER -> IntStream.rangeClosed(1, 9).mapToObj((n) -> cell(1, scaled(100 * n, scale))).toList();
			case CAPACITY -> IntStream.of(CLIENTS).mapToObj((clients) -> cell(scaled(clients, scale), 1)).toList();
			case BROADCAST,
					ECHO ->
				IntStream.of(100, 300, 500)
					.boxed()
					.flatMap((clients) -> IntStream.of(10, 100, 300)
						.mapToObj((messages) -> cell(scaled(clients, scale), scaled(messages, scale))))
					.toList();
			case SIZE -> IntStream.rangeClosed(1, SIZES)
				.mapToObj((n) -> new Cell(this, 1, scaled(ECHOES, scale), 1000 * n))
				.toList();
		};
	}

	private Cell cell(int clients, int messages) {
		return new Cell(this, clients, messages, USUAL_BYTES);
	}

	private static int scaled(int number, double scale) {
		return Math.max(1, (int) Math.round(number * scale));
	}

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
