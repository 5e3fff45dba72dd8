package io.parley.trace;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failed exports as warnings, at most one a minute. The SDK logs each as an error
 * with a stack trace, and errors raise an alert, although chat does not need traces.
 */
final class WarningExporter implements SpanExporter {

	private static final Logger logger = LoggerFactory.getLogger(WarningExporter.class);

	private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

	/** Kept here, because the JDK forgets the level of a logger that nobody holds. */
	private static final java.util.logging.Logger SDK = java.util.logging.Logger.getLogger("io.opentelemetry.exporter");

	private final SpanExporter exporter;

	private final String endpoint;

	private final AtomicLong nextWarning = new AtomicLong(System.nanoTime());

	WarningExporter(SpanExporter exporter, String endpoint) {
		SDK.setLevel(Level.OFF);
		this.exporter = exporter;
		this.endpoint = endpoint;
	}

	@Override
	public CompletableResultCode export(Collection<SpanData> spans) {
		CompletableResultCode result = this.exporter.export(spans);
		return result.whenComplete(() -> {
			if (!result.isSuccess()) {
				warn(spans.size(), result.getFailureThrowable());
			}
		});
	}

	private void warn(int spans, @Nullable Throwable failure) {
		long now = System.nanoTime();
		long next = this.nextWarning.get();
		if (now - next >= 0 && this.nextWarning.compareAndSet(next, now + INTERVAL_NANOS)) {
			logger.warn("{} spans could not be sent to {} and are dropped: {}", spans, this.endpoint,
					String.valueOf(failure));
		}
	}

	@Override
	public CompletableResultCode flush() {
		return this.exporter.flush();
	}

	@Override
	public CompletableResultCode shutdown() {
		return this.exporter.shutdown();
	}

}
