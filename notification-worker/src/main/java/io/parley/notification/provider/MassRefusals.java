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
 * Doubts answers that blame a device, when FCM blames many: then the account or the
 * tokens of the app are wrong, and the devices are not. FCM also blames the device when
 * the service account belongs to another project than the app; to believe that would
 * empty the table of devices. Safe for all threads.
 *
 * <p>
 * Devices are blamed rightly as long as FCM has taken messages for others in the last
 * hour, and blames no more than a tenth of the devices that were asked last, or ten.
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

	/** What each of the devices answered last, in the order of the answers. */
	private final SequencedMap<String, Answer> last = new LinkedHashMap<>();

	MassRefusals(MeterRegistry meters, Clock clock) {
		this.clock = clock;
		this.alarm = new LogThrottle(clock);
		this.doubted = meters.counter("chat.push.devices.doubted");
	}

	private record Answer(boolean blamed, long at) {
	}

	/** The answers to a batch, in which those that are doubted are to be tried again. */
	synchronized List<PushAnswer> check(List<PushMessage> messages, List<PushAnswer> answers) {
		long now = this.clock.millis();
		for (int i = 0; i < answers.size(); i++) {
			note(messages.get(i).target().value(), answers.get(i), now);
		}
		this.last.values().removeIf((answer) -> now - answer.at() > WINDOW.toMillis());
		return answers.stream().anyMatch(MassRefusals::blames) && !isPlausible() ? doubt(answers) : answers;
	}

	private void note(String target, PushAnswer answer, long now) {
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
					tell(answer);
				}
				checked.add(PushAnswer.retry("doubted: " + answer.detail(), WAIT));
			}
			else {
				checked.add(answer);
			}
		}
		return checked;
	}

	private void tell(PushAnswer answer) {
		logger.error("FCM refuses {} of the {} devices that were asked last ({}). No device is forgotten; these pushes"
				+ " wait. For sender-id-mismatch, set chat.push.fcm.credentials and chat.push.fcm.project-id to the"
				+ " Firebase project that the app registers with. For invalid-target, check that the app registers"
				+ " tokens of FCM.", blamed(), this.last.size(), answer.detail());
	}

}
