package io.parley.notification.provider;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Doubts answers that blame a device if FCM blames many: then the account or the tokens
 * of the app are wrong, not the devices. FCM also blames the device if the service
 * account belongs to another project than the app; trusting that would empty the table of
 * devices. Safe for use by many threads.
 *
 * <p>
 * Answers that blame a device are trusted as long as FCM has accepted messages for other
 * devices in the last hour, and blames at most a tenth of the devices that were sent to
 * last, or at most ten.
 */
final class MassRefusals {

	private static final Logger logger = LoggerFactory.getLogger(MassRefusals.class);

	private static final int DEVICES = 1_000;

	private static final int FEW = 10;

	private static final int SHARE = 10;

	private static final Duration WINDOW = Duration.ofHours(1);

	private static final Duration WAIT = Duration.ofMinutes(1);

	private final Clock clock;

	private final LogThrottle alarm;

	private final Counter doubted;

	/** The last answer for each device, in the order of the answers. */
	private final SequencedMap<String, Answer> last = new LinkedHashMap<>();

	MassRefusals(MeterRegistry meters, Clock clock) {
		this.clock = clock;
		this.alarm = new LogThrottle(clock);
		this.doubted = meters.counter("chat.push.devices.doubted");
	}

	private record Answer(boolean blamed, long at) {
	}

	/** Returns the answers to a batch. Doubted answers are replaced by retries. */
	synchronized List<PushAnswer> check(List<PushMessage> messages, List<PushAnswer> answers) {
		long now = this.clock.millis();
		for (int i = 0; i < answers.size(); i++) {
			remember(messages.get(i).target().value(), answers.get(i), now);
		}
		this.last.values().removeIf((answer) -> now - answer.at() > WINDOW.toMillis());
		return (answers.stream().anyMatch(MassRefusals::blames) && !isPlausible()) ? doubt(answers) : answers;
	}

	private void remember(String target, PushAnswer answer, long now) {
		if (blames(answer) || answer.kind() == PushAnswer.Kind.SENT) {
			this.last.putLast(target, new Answer(blames(answer), now));
			if (this.last.size() > DEVICES) {
				this.last.pollFirstEntry();
			}
		}
	}

	private static boolean blames(PushAnswer answer) {
		return answer.kind() == PushAnswer.Kind.GONE && !answer.detail().equals(FcmFailures.UNREGISTERED);
	}

	private boolean isPlausible() {
		long blamed = blamed();
		return blamed < this.last.size() && blamed <= Math.max(FEW, this.last.size() / SHARE);
	}

	private long blamed() {
		return this.last.values().stream().filter(Answer::blamed).count();
	}

	private List<PushAnswer> doubt(List<PushAnswer> answers) {
		List<PushAnswer> checked = new ArrayList<>(answers.size());
		for (PushAnswer answer : answers) {
			if (blames(answer)) {
				this.doubted.increment();
				if (this.alarm.pass()) {
					logDoubt(answer);
				}
				checked.add(PushAnswer.retry("doubted: " + answer.detail(), WAIT));
			}
			else {
				checked.add(answer);
			}
		}
		return checked;
	}

	private void logDoubt(PushAnswer answer) {
		logger.error("FCM refuses {} of the {} devices that were asked last ({}). No device is removed; these pushes"
				+ " are retried. For sender-id-mismatch, set chat.push.fcm.credentials and chat.push.fcm.project-id to"
				+ " the Firebase project that the app registers with. For invalid-target, check that the app registers"
				+ " FCM tokens.", blamed(), this.last.size(), answer.detail());
	}

}
