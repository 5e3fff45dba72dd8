package io.parley.loadtest.study;

/** Numbers as tables show them. */
public final class Figures {

	private Figures() {
	}

	/** Two digits after the point. */
	public static double cents(double value) {
		return Math.round(value * 100) / 100.0;
	}

	/** Without what is after the point. */
	public static double whole(double value) {
		return Math.rint(value);
	}

	/** KB as MB. */
	public static double megabytes(long kilobytes) {
		return Math.rint(kilobytes / 1024.0);
	}

}
