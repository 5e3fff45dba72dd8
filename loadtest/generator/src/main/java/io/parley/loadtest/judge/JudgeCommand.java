package io.parley.loadtest.judge;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.report.TextTable;
import io.parley.loadtest.trial.Preconditions;
import io.parley.loadtest.user.RestApi;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./chat loadtest judge}: whether a client lost, doubled, disordered or invented
 * messages.
 */
@Command(name = "judge",
		description = "Compares what clients sent and showed with the history of the room, and says what was lost,"
				+ " doubled, disordered or invented. Clients in any language write the files, one line for each message.",
		mixinStandardHelpOptions = true, footerHeading = "%nFiles, one JSON object in each line%n",
		footer = { "Sent, when the user has written it, and when it was accepted:",
				"  {\"clientId\":\"m1\",\"text\":\"Hello\"}", "  {\"clientId\":\"m1\",\"accepted\":true}",
				"Received, when the user sees it:",
				"  {\"position\":1099511627777,\"sender\":\"bob\",\"clientId\":\"b1\",\"text\":\"Hi\"}",
				"When the program starts again, what was shown may come again:", "  {\"started\":true}",
				"When the view begins anew with a later page, what is between is not lost:", "  {\"reset\":true}", "",
				"Only clientId and position are required. \"sha256\" of the text may replace \"text\". \"sender\" of sent"
						+ " messages is needed if several users have the same client ids. Instead of an object, a line may"
						+ " be m1 or m1 accepted (sent), 1099511627777 or 1099511627777 Hi (received).",
				"",
				"Lost: accepted and not in the history; in the history and never shown, unless deleted or a reply."
						+ " Disordered: in the history in another order than in the file. Invented: not in the history,"
						+ " with another text, or of this sender and not in the file. A message that was never accepted"
						+ " may be there or not." })
public final class JudgeCommand implements Callable<Integer> {

	private static final List<String> COLUMNS = List.of("file", "what", "messages", "lost", "doubled", "disordered",
			"invented", "also");

	@Option(names = "--url", description = "The server. Default: ${DEFAULT-VALUE}")
	URI url = URI.create("http://127.0.0.1:8080");

	@Option(names = "--room", required = true, description = "The id of the room.")
	String room = "";

	@Option(names = "--user", defaultValue = "${env:CHAT_USER:-alice}",
			description = "A member of the room, who reads its history. Default: ${DEFAULT-VALUE}")
	String user = "";

	@Option(names = "--password", defaultValue = "${env:CHAT_PASSWORD:-demo}",
			description = "The password of that user. Default: CHAT_PASSWORD of the environment, or that of demo users")
	String password = "";

	@Option(names = "--sent", arity = "1..*", paramLabel = "<file>", description = "What a client sent, one file each.")
	List<Path> sent = List.of();

	@Option(names = "--received", arity = "1..*", paramLabel = "<file>",
			description = "What a client showed, one file each.")
	List<Path> received = List.of();

	@Option(names = "--after", paramLabel = "<position>",
			description = "Judge only what is after this position of the room. Default: everything")
	long after;

	@Override
	public Integer call() {
		Interrupt.listen();
		Preconditions.require(this.room.matches("[A-Za-z0-9_-]{1,64}"),
				"--room %s is not the id of a room: 1 to 64 characters of A-Z, a-z, 0-9, _ and -.", this.room);
		Preconditions.require(!this.sent.isEmpty() || !this.received.isEmpty(),
				"Pass files that a client wrote with --sent, --received or both; judge --help shows what is in them.");
		// What was shown before the history is read is in it.
		List<Sent> outgoing = this.sent.stream().map(Sent::read).toList();
		List<Received> incoming = this.received.stream().map(Received::read).toList();
		History history = history();
		Judge judge = new Judge(history, this.after);
		List<Verdict> verdicts = new ArrayList<>(judge.sent(outgoing));
		incoming.forEach((file) -> verdicts.add(judge.received(file)));
		print(history, verdicts);
		return verdicts.stream().allMatch(Verdict::isClean) ? 0 : 1;
	}

	private History history() {
		try (RestApi api = new RestApi(this.url)) {
			String token = api.logIn(this.user, this.password).accessToken();
			return History.read(api, token, this.room);
		}
	}

	private void print(History history, List<Verdict> verdicts) {
		TextTable.print(List.of(new Table(
				String.format(Locale.ROOT, "Room %s with %,d messages in its history", this.room, history.count()),
				COLUMNS, verdicts.stream().map(Verdict::row).toList(), "")));
		verdicts.forEach((verdict) -> verdict.examples().forEach(System.out::println));
		boolean clean = verdicts.stream().allMatch(Verdict::isClean);
		System.out.println(clean ? "PASSED: nothing was lost, doubled, disordered or invented"
				: "FAILED: something was lost, doubled, disordered or invented");
	}

}
