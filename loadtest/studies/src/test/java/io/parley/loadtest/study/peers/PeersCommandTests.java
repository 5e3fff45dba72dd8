package io.parley.loadtest.study.peers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.study.Resources;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PeersCommandTests {

	@Test
	void runsEachServerWithoutOnly() {
		assertThat(cases()).extracting(Peer::name)
			.containsExactly("parley/bus", "parley/simple", "centrifugo/memory", "centrifugo/history", "nats/core",
					"nats/jetstream", "nats/jetstream-fsync", "mosquitto", "socketio", "rabbitmq", "ejabberd");
	}

	@Test
	void takesNamesAndHowTheyBegin() {
		assertThat(cases("--only", "centrifugo,parley")).extracting(Peer::name)
			.containsExactly("parley/bus", "parley/simple", "centrifugo/memory", "centrifugo/history");
		assertThat(cases("--only", "nats/jetstream")).extracting(Peer::name).containsExactly("nats/jetstream");
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> cases("--only", "nat"))
			.withMessageStartingWith("--only nat: there is no such server, there are parley/bus,");
	}

	@Test
	void rejectsWhatCannotBeMeasured() {
		for (String rooms : List.of("0", "11")) {
			assertThatExceptionOfType(LoadTestException.class)
				.isThrownBy(() -> cases("--sessions", "10", "--rooms", rooms))
				.withMessageStartingWith("--sessions and --rooms");
		}
		for (String bytes : List.of("36", "1001")) {
			assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> cases("--bytes", bytes))
				.withMessage("--bytes must be between 37 and 1000.");
		}
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> cases("--minutes", "0"))
			.withMessage("--minutes must be above 0.");
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> cases("--rates", "0"))
			.withMessageStartingWith("--rates");
	}

	@Test
	void saysHowToGetAServerThatIsNotInstalled(@TempDir Path folder) {
		String missing = folder.resolve("server").toString();
		PeersCommand options = command("--centrifugo", missing, "--nats", missing, "--mosquitto", missing, "--rabbitmq",
				missing);
		for (Peer peer : PeerSelection.named(List.of("centrifugo", "nats", "mosquitto", "rabbitmq"))) {
			try (Resources open = new Resources()) {
				assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> peer.start(options, open))
					.withMessageStartingWith("there is no program " + missing + ": install ")
					.withMessageEndingWith("or give its path with --%s PATH.".formatted(peer.name().split("/")[0]));
			}
		}
	}

	@Test
	void startsEachServerAgainForTheMinutes() {
		Duration one = command("--rates", "10", "--warmup", "1s", "--hold", "2s").expected();
		assertThat(command("--rates", "10", "--warmup", "1s", "--hold", "2s", "--minutes", "3").expected())
			.isEqualTo(one.plusMinutes(3).plusSeconds(15));
	}

	@Test
	void saysHowToGetALibraryThatIsNotInstalled(@TempDir Path folder) {
		String missing = folder.resolve("missing").toString();
		PeersCommand options = command("--socketio", missing, "--ejabberd", folder.toString());
		assertThatStarting("socketio", options).withMessage("there is no Socket.IO in " + missing
				+ ": install Node, run \"npm install socket.io@4.8\" in a folder, and give this folder with --socketio DIR.");
		assertThatStarting("ejabberd", options).withMessageStartingWith("there is no ejabberd in " + folder + ": ")
			.withMessageEndingWith("or give the folder of Erlang libraries that has it with --ejabberd DIR.");
		assertThatStarting("ejabberd", command("--ejabberd", missing))
			.withMessageStartingWith("there is no folder " + missing + ": ");
	}

	private static ThrowableAssertAlternative<LoadTestException> assertThatStarting(String name, PeersCommand options) {
		try (Resources open = new Resources()) {
			return assertThatExceptionOfType(LoadTestException.class)
				.isThrownBy(() -> PeerSelection.named(List.of(name)).getFirst().start(options, open));
		}
	}

	@Test
	void failsWhenNoServerWasMeasured(@TempDir Path folder) {
		int code = new CommandLine(new PeersCommand()).execute("--only", "nats", "--nats",
				folder.resolve("server").toString(), "--report", folder.toString());
		assertThat(code).isEqualTo(1);
	}

	private static List<Peer> cases(String... arguments) {
		return command(arguments).cases();
	}

	private static PeersCommand command(String... arguments) {
		PeersCommand command = new PeersCommand();
		new CommandLine(command).parseArgs(arguments);
		return command;
	}

}
