package io.parley.loadtest.judge;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.judge.Verdict.Wrong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class JudgeTests {

	private static final String HI = "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4";

	private final List<JsonNode> events = new ArrayList<>();

	@TempDir
	private Path folder;

	@BeforeEach
	void writeHistory() {
		event("{'type':'room.created','position':1,'sender':'alice'}");
		message(2, "alice", "a1", "hi");
		message(3, "bob", "b1", "Hello");
		message(5, "alice", "a2", "two words");
	}

	@Test
	void acceptsWhatIsRightInBothForms() throws Exception {
		assertThat(sent("{'clientId':'a1','text':'hi','extra':1}", "{'clientId':'a2'}", "",
				"{'clientId':'a1','accepted':true}", "a2 accepted", "{'clientId':'a3','text':'not accepted'}")
			.row()).endsWith(3, 0, 0, 0, 0, "1 not accepted");
		assertThat(received("2", "3 Hello", "5 two words").row()).endsWith(3, 0, 0, 0, 0, "");
		assertThat(received("{'position':1}", "{'position':2,'sha256':'" + HI + "'}",
				"{'position':3,'sender':'bob','clientId':'b1','text':'Hello'}", "{'position':5}")
			.isClean()).isTrue();
	}

	@Test
	void comparesTextsWithTheirSpacesAndKnowsAByteOrderMark() throws Exception {
		message(6, "bob", "b2", " two  spaces ");
		assertThat(received("\uFEFF2 hi", "3", " {'position':5}", "6  two  spaces ").isClean()).isTrue();
		assertThat(received("2 hi", "3", "5", "6 two  spaces").of(Wrong.INVENTED)).isOne();
	}

	@Test
	void aMessageThatWasNotAcceptedMayBeInTheHistory() throws Exception {
		assertThat(sent("a1", "a2").isClean()).isTrue();
	}

	@Test
	void findsWhatIsLost() throws Exception {
		Verdict sent = sent("a1 accepted", "a2 accepted", "a3 accepted");
		assertThat(sent.row()).endsWith(3, 1, 0, 0, 0, "");
		assertThat(sent.examples()).singleElement()
			.asString()
			.startsWith("LOST in ")
			.endsWith("line 3: \"a3\" was accepted and is not in the history");
		Verdict received = received("2", "5");
		assertThat(received.row()).endsWith(2, 1, 0, 0, 0, "");
		assertThat(received.examples()).singleElement()
			.asString()
			.endsWith("\"b1\" of bob at position 3 was never shown");
		assertThat(received().of(Wrong.LOST)).isEqualTo(3);
	}

	@Test
	void findsWhatIsDoubled() throws Exception {
		assertThat(received("2", "3", "2", "5").row()).endsWith(4, 0, 1, 0, 0, "");
		// The server had forgotten it and delivered it at another position.
		assertThat(received("2", "3", "5", "{'position':9,'sender':'bob','clientId':'b1'}").row()).endsWith(4, 0, 1, 0,
				0, "");
		message(6, "alice", "a1", "hi");
		assertThat(sent("a1 accepted", "a2 accepted").row()).endsWith(2, 0, 1, 0, 0, "");
	}

	@Test
	void findsWhatIsDisordered() throws Exception {
		assertThat(received("3", "2", "5").row()).endsWith(3, 0, 0, 1, 0, "");
		assertThat(sent("a2", "a1", "a1 accepted", "a2 accepted").row()).endsWith(2, 0, 0, 1, 0, "");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			4                                          | no such event at position 4
			{'position':4,'clientId':'b2'}             | no such event at position 4
			{'position':6,'clientId':'b1','sender':'x'} | no such event at position 6
			""")
	void findsPositionsThatAreInvented(String line, String example) throws Exception {
		Verdict verdict = received("2", "3", "5", line);
		assertThat(verdict.row()).endsWith(4, 0, 0, 0, 1, "");
		assertThat(verdict.examples()).singleElement().asString().contains("line 4: ", example);
	}

	@Test
	void findsOtherTextsAndMessagesThatNobodySent() throws Exception {
		assertThat(received("2 Hi", "3", "{'position':5,'sha256':'" + HI + "'}").row()).endsWith(3, 0, 0, 0, 2, "");
		assertThat(sent("{'clientId':'a1','text':'ho'}", "a2 accepted").row()).endsWith(2, 0, 0, 0, 1,
				"1 not accepted");
		Verdict unknown = sent("a1 accepted");
		assertThat(unknown.row()).endsWith(1, 0, 0, 0, 1, "");
		assertThat(unknown.examples().getFirst()).contains("the history has \"a2\" of alice at position 5");
	}

	@Test
	void twoFilesOfASenderBelongTogether() throws Exception {
		List<Verdict> verdicts = new Judge(history(), 0)
			.sent(List.of(Sent.read(file("a1 accepted")), Sent.read(file("a2 accepted"))));
		assertThat(verdicts).hasSize(2).allMatch(Verdict::isClean);
	}

	@Test
	void aStartMayShowTheLastMessagesAgainButLosesNothing() throws Exception {
		assertThat(received("{'started':true}", "2", "3", "{'started':true}", "2", "3", "5").row()).endsWith(3, 0, 0, 0,
				0, "2 again after a start");
		assertThat(received("2", "3", "{'started':true}", "5", "3").of(Wrong.DOUBLED)).isOne();
		assertThat(received("2", "{'started':true}", "5").of(Wrong.LOST)).isOne();
	}

	@Test
	void aViewThatBeginsAnewMayLeaveOutWhatIsBetween() throws Exception {
		message(6, "bob", "b2", "six");
		assertThat(received("2", "{'reset':true}", "5", "6").row()).endsWith(3, 0, 0, 0, 0,
				"1 begun anew, 1 left out by that");
		assertThat(received("2", "3", "{'reset':true}", "3", "5", "6").isClean()).isTrue();
		assertThat(received("2", "{'reset':true}", "5").of(Wrong.LOST)).isOne();
		assertThat(received("2", "3", "{'reset':true}", "3", "6").of(Wrong.LOST)).isOne();
		assertThat(received("2", "3", "{'reset':true}", "5", "3", "6").of(Wrong.DISORDERED)).isOne();
	}

	@Test
	void judgesOnlyWhatIsAfterAPosition() throws Exception {
		assertThat(new Judge(history(), 3).received(Received.read(file("2", "5"))).row()).endsWith(1, 0, 0, 0, 0,
				"1 not judged");
		assertThat(new Judge(history(), 3).sent(List.of(Sent.read(file("a2 accepted"))))).allMatch(Verdict::isClean);
	}

	@Test
	void knowsEditsDeletionsAndReplies() throws Exception {
		event("{'type':'thread.posted','position':6,'sender':'bob','clientId':'b3','text':'reply'}");
		event("{'type':'message.posted','position':7,'sender':'bob','clientId':'b4','text':'','deleted':true}");
		event("{'type':'message.edited','position':8,'sender':'alice','clientId':'e1','target':2,'text':'edited'}");
		event("{'type':'message.edited','position':9,'sender':'alice','clientId':'e2','target':5,'superseded':true}");
		assertThat(received("2 edited", "3", "5 anything").isClean()).isTrue();
		assertThat(received("2", "3", "5", "6 reply", "7 gone", "8").isClean()).isTrue();
		assertThat(received("2", "3", "5", "6 other").of(Wrong.INVENTED)).isOne();
	}

	@Test
	void needsTheSenderIfClientIdsAreNotUnique() throws Exception {
		message(6, "bob", "a1", "same id");
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> sent("a2", "a1"))
			.withMessageContaining(":2: several users sent a message with the client id \"a1\": add \"sender\"");
		assertThat(sent("{'sender':'alice','clientId':'a1'}", "a2").isClean()).isTrue();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{'position':1             | received:2: the line is not a whole JSON object
			{}                        | received:2: the line has no position, which is a number above 0
			{'position':'1'}          | has no position
			{'position':1.5}          | has no position
			{'position':0}            | has no position
			{'position':99999999999999999999} | has no position
			{'position':2,'text':5}   | has a text that is not a text
			{'position':2,'sha256':'abc'} | has a sha256 that is not 64 hexadecimal digits
			{'started':1}             | has "started" that is neither true nor false
			hello                     | is neither a JSON object nor a position
			12345678901234567         | is neither a JSON object nor a position
			""")
	void namesTheLineOfAReceivedFileThatIsWrong(String line, String message) throws Exception {
		Path file = Files.write(this.folder.resolve("received"), List.of("2", json(line)));
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> Received.read(file))
			.withMessageContaining(message);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{'clientId':7}               | sent:2: the line has a clientId that is not a text
			{'text':'x'}                 | sent:2: the line has no clientId
			{'clientId':''}              | has no clientId
			{'clientId':'a','accepted':'yes'} | has "accepted" that is neither true nor false
			{'clientId':'a'} {           | is not a whole JSON object
			a1 refused                   | is neither a JSON object, nor a client id
			""")
	void namesTheLineOfASentFileThatIsWrong(String line, String message) throws Exception {
		Path file = Files.write(this.folder.resolve("sent"), List.of("a0", json(line)));
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> Sent.read(file))
			.withMessageContaining(message);
	}

	@Test
	void refusesFilesThatAreMissingOrNoText() throws Exception {
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> Sent.read(this.folder.resolve("nowhere")))
			.withMessageContaining("does not exist: did the client write it?");
		Path file = Files.write(this.folder.resolve("binary"), new byte[] { (byte) 0xff });
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> Sent.read(file))
			.withMessageContaining("is not text in UTF-8");
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> Sent.read(this.folder))
			.withMessageContaining("cannot be read");
	}

	private Verdict sent(String... lines) throws Exception {
		return new Judge(history(), 0).sent(List.of(Sent.read(file(lines)))).getFirst();
	}

	private Verdict received(String... lines) throws Exception {
		return new Judge(history(), 0).received(Received.read(file(lines)));
	}

	private Path file(String... lines) throws Exception {
		Path file = Files.createTempFile(this.folder, "client", ".jsonl");
		return Files.write(file, List.of(lines).stream().map(JudgeTests::json).toList());
	}

	private History history() {
		return new History(this.events);
	}

	private void message(long position, String sender, String clientId, String text) {
		event("{'type':'message.posted','position':%d,'sender':'%s','clientId':'%s','text':'%s'}".formatted(position,
				sender, clientId, text));
	}

	private void event(String json) {
		this.events.add(JsonMapper.shared().readTree(json(json)));
	}

	private static String json(String text) {
		return text.replace('\'', '"');
	}

}
