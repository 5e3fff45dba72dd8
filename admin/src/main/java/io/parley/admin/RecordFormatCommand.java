package io.parley.admin;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "record-format",
		header = "Shows the format in which servers write records, or raises it after an upgrade.")
final class RecordFormatCommand extends AdminCommand {

	@Parameters(paramLabel = "N", arity = "0..1", description = "The format to raise it to.")
	private @Nullable Integer version;

	RecordFormatCommand(Map<String, String> environment) {
		super(environment);
	}

	@Override
	String answer() {
		try (OperatorSession session = signIn()) {
			var request = session.server().request("/api/operator/record-format");
			return session.send((this.version != null)
					? request.PUT(BodyPublishers.ofString("{\"version\":" + this.version + "}")) : request);
		}
	}

}
