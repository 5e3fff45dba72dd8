package io.parley.conformance.contract;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.LaterBuild;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The description of frames in docs/api/asyncapi.json. */
final class FrameContract {

	/** The channel of the frames without a destination. */
	private static final String SESSION = "session";

	private static final String REFERENCE = "#/components/messages/";

	private final List<Channel> channels = new ArrayList<>();

	private final Schemas schemas;

	private record Channel(String name, @Nullable Pattern address, Map<String, Message> messages) {
	}

	/**
	 * A message of a channel.
	 *
	 * @param headers the location of a schema
	 * @param payload the location of a schema; empty for none
	 */
	private record Message(String name, String headers, String payload) {
	}

	FrameContract(Schemas schemas) {
		this.schemas = schemas;
		JsonNode document = Schemas.read("asyncapi.json");
		JsonNode messages = document.path("components").path("messages");
		document.path("channels").forEachEntry((name, channel) -> {
			Map<String, Message> own = new HashMap<>();
			channel.path("messages").forEachEntry((key, reference) -> {
				JsonNode message = messages.path(reference.path("$ref").asString().substring(REFERENCE.length()));
				own.put(key, new Message(name + " " + key, message.path("headers").path("$ref").asString(),
						message.path("payload").path("$ref").asString("")));
			});
			this.channels.add(new Channel(name, pattern(channel.path("address").asString("")), own));
		});
	}

	private static @Nullable Pattern pattern(String address) {
		return address.isEmpty() ? null
				: Pattern.compile(address.replace(".", "\\.").replaceAll("\\{\\w+}", "[A-Za-z0-9_-]{1,64}"));
	}

	/** Returns the names of all messages. Other channels repeat some, as answers. */
	Set<String> declared() {
		return this.channels.stream()
			.filter((channel) -> channel.address() != null || channel.name().equals(SESSION))
			.flatMap((channel) -> channel.messages().values().stream())
			.map(Message::name)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/**
	 * Checks a frame, and returns the name of its message, or null if it is of a later
	 * version.
	 * @throws ContractException if the documents do not have such a frame
	 */
	@Nullable String check(String command, Map<String, String> headers, String body) {
		boolean hasBody = command.equals("SEND") || command.equals("MESSAGE");
		JsonNode json = body.isBlank() ? ChatApi.JSON.createObjectNode() : ChatApi.JSON.readTree(body);
		String type = json.path("type").asString("");
		if (type.equals(LaterBuild.TYPE)) {
			return null;
		}
		Channel channel = hasBody ? channel(headers.getOrDefault("destination", "")) : session();
		String name = switch (command) {
			case "SEND" -> channel.messages().keySet().iterator().next();
			case "MESSAGE" -> type;
			default -> command;
		};
		Message message = channel.messages().get(name);
		if (message == null) {
			throw new ContractException("asyncapi.json has no message " + name + " in the channel " + channel.name());
		}
		List<String> errors = Stream.concat(
				this.schemas.errors(message.headers(), ChatApi.JSON.valueToTree(headers)).stream(),
				message.payload().isEmpty() ? Stream.empty() : this.schemas.errors(message.payload(), json).stream())
			.toList();
		if (!errors.isEmpty()) {
			throw new ContractException(message.name() + ": " + errors);
		}
		return message.name();
	}

	private Channel session() {
		return this.channels.stream().filter((one) -> one.name().equals(SESSION)).findFirst().orElseThrow();
	}

	private Channel channel(String destination) {
		return this.channels.stream()
			.filter((one) -> one.address() != null && one.address().matcher(destination).matches())
			.findFirst()
			.orElseThrow(() -> new ContractException("asyncapi.json has no channel for " + destination));
	}

}
