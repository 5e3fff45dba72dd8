package io.parley.loadtest.study.transports;

import java.time.Duration;

import io.parley.loadtest.stomp.Fault;
import io.parley.loadtest.stomp.StompResponder;
import io.parley.loadtest.study.transports.Round.Outcome;
import io.parley.loadtest.study.transports.Round.Outcome.End;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rounds over real WebSockets, against a correct or a faulty server.
 */
class ParleyTransportTests {

	private static final Cell BROADCAST = new Cell(Experiment.BROADCAST, 20, 10, 100);

	private static final Cell LARGE_ECHO = new Cell(Experiment.SIZE, 3, 10, 10_000);

	@Test
	void completesWhenEveryMessageArrives() {
		Outcome broadcast = round(Fault.NONE, BROADCAST, Duration.ofSeconds(30));
		assertThat(broadcast.problems()).isEmpty();
		assertThat(broadcast.end()).isEqualTo(End.COMPLETE);
		assertThat(broadcast.arrived()).isEqualTo(20 * 20 * 10);
		Outcome echo = round(Fault.NONE, LARGE_ECHO, Duration.ofSeconds(30));
		assertThat(echo.problems()).isEmpty();
		assertThat(echo.arrived()).isEqualTo(3 * 10);
	}

	@ParameterizedTest
	@CsvSource({ "LOSE, positions: GAP", "DOUBLE, positions: DUPLICATE", "REORDER, positions: GAP",
			"APPEND_TWICE, 'doubled, out of order, or after a loss'", "CLOSE, closed by the server with 1011",
			"KEEP_RECEIPT, not confirmed by the server", "REFUSE, STOMP ERROR: bad token" })
	void failsAndNamesWhatTheServerDidWrong(Fault fault, String named) {
		Outcome outcome = round(fault, BROADCAST, Duration.ofSeconds(2));
		assertThat(outcome.end()).isEqualTo(End.FAILED);
		assertThat(outcome.problems()).containsKey(named);
		assertThat(outcome.displayValue().toString()).startsWith("failed after").contains(named);
	}

	private static Outcome round(Fault fault, Cell cell, Duration limit) {
		try (StompResponder server = new StompResponder(fault);
				ParleyTransport parley = new ParleyTransport("Parley", server.url(), cell.clients())) {
			return new Round(parley, cell, limit).run();
		}
	}

}
