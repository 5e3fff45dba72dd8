package io.parley.loadtest.study.transports;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The five tables of 2004. */
enum Experiment {

	/** One client sends and reads back, again and again. */
	TRANSFER("Transfer: send to the server and read back", false),
	/** Clients connect, each sends one message, and it goes to all. */
	CAPACITY("Capacity: all connect, and one message of each goes to all", true),
	/** Each client sends messages, and each message goes to all. */
	BROADCAST("Broadcast: each message of each client goes to all", true),
	/** Each client sends messages and reads each back before the next one. */
	ECHO("Echo: each client reads each of its messages back before the next", false),
	/** One client, and messages of growing size. */
	SIZE("Message size: one client sends and reads back", false);

	private static final int USUAL_BYTES = 100;

	private static final int[] CLIENTS = { 100, 300, 500, 700, 900 };

	private static final int SIZES = 10;

	private static final int ECHOES = 1000;

	final String title;

	/** Whether a message goes to all; else to its sender. */
	final boolean toAll;

	Experiment(String title, boolean toAll) {
		this.title = title;
		this.toAll = toAll;
	}

	/** The cells of its table, all numbers of clients and messages made smaller. */
	List<Cell> cells(double scale) {
		return switch (this) {
			case TRANSFER -> IntStream.rangeClosed(1, 9).mapToObj((n) -> cell(1, small(100 * n, scale))).toList();
			case CAPACITY -> IntStream.of(CLIENTS).mapToObj((clients) -> cell(small(clients, scale), 1)).toList();
			case BROADCAST,
					ECHO ->
				IntStream.of(100, 300, 500)
					.boxed()
					.flatMap((clients) -> IntStream.of(10, 100, 300)
						.mapToObj((messages) -> cell(small(clients, scale), small(messages, scale))))
					.toList();
			case SIZE -> IntStream.rangeClosed(1, SIZES)
				.mapToObj((n) -> new Cell(this, 1, small(ECHOES, scale), 1000 * n))
				.toList();
		};
	}

	private Cell cell(int clients, int messages) {
		return new Cell(this, clients, messages, USUAL_BYTES);
	}

	private static int small(int number, double scale) {
		return Math.max(1, (int) Math.round(number * scale));
	}

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
