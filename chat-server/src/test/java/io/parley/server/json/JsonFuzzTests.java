package io.parley.server.json;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reads valid and damaged request bodies with the strict rules and binds them to the
 * request records.
 */
class JsonFuzzTests {

	private static final StrictJson STRICT = new StrictJson(16_384);

	private static final JsonMapper MAPPER = mapper();

	/** An independent parser that reads the bytes. */
	private static final JsonMapper ORACLE = JsonMapper.builder()
		.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
		.build();

	private static final List<Class<?>> BODIES = bodies();

	private static final List<String> GOOD = List.of(
			"{\"clientId\":\"c1\",\"text\":\"hi\",\"n\":-1.50e+3,\"a\":[1, 2]}",
			"{\"username\":\"anna\",\"password\":\"long enough\"}", "{\"refreshToken\":\"x\"}",
			"{\"name\":\"x\",\"kind\":\"group\",\"members\":[\"anna\"],\"capacity\":10}",
			"{\"position\":1099511627777}",
			"{\"token\":\"abc\",\"platform\":\"ios\",\"kind\":\"fid\",\"replaces\":null}",
			"{\"level\":\"all\",\"mutedUntil\":\"2030-01-31T08:00:00Z\",\"quietHours\":"
					+ "{\"from\":\"22:00\",\"to\":\"07:00\",\"timeZone\":\"Europe/Berlin\"}}");

	private static final List<String> PIECES = List.of("\"", "{", "}", "[", "]", ",", ":", "\\", "\\u0000", "\\ud83d",
			"\\ude00", "\\u0041", "\0", "1e400", "-0", "01", "NaN", "null", "true", "\"x\":1", ",\"x\":[{\"y\":",
			"\u00c0\u0080", "\u00ed\u00a0\u0080", "\u00f0\u009f\u0098\u0080", "\u00e4", "\u00ef\u00bb\u00bf",
			"9223372036854775808", "[[[[[[[[", "/*", " ", "\n");

	@Property
	void randomBytesAreRefusedOrRead(@ForAll byte[] bytes) {
		read(bytes);
	}

	@Property
	void damagedBodiesAreRefusedOrRead(@ForAll("damaged") byte[] bytes) {
		read(bytes);
	}

	private static void read(byte[] bytes) {
		Map<String, JsonField> fields;
		try {
			fields = STRICT.read(bytes, ErrorCode.BAD_REQUEST);
		}
		catch (ChatException ex) {
			assertThat(ex.reason()).startsWith("The body ");
			return;
		}
		assertSound(bytes, fields);
		for (Class<?> body : BODIES) {
			try {
				assertThat(MAPPER.readValue(bytes, body)).isNotNull();
			}
			catch (JacksonException ex) {
				assertThat(ex).isNotNull();
			}
		}
	}

	/**
	 * Asserts that the other parser reads the same fields and that the raw values are
	 * complete.
	 */
	private static void assertSound(byte[] bytes, Map<String, JsonField> fields) {
		JsonNode expected = ORACLE.readTree(bytes);
		assertThat(new ArrayList<>(fields.keySet())).isEqualTo(new ArrayList<>(expected.propertyNames()));
		String text = new String(bytes, StandardCharsets.UTF_8);
		assertThat(text.getBytes(StandardCharsets.UTF_8)).isEqualTo(bytes);
		fields.forEach((name, field) -> {
			assertThat(text).contains(field.raw());
			assertThat(field.raw()).isEqualTo(field.raw().strip());
			assertThat(ORACLE.readTree(field.raw())).isEqualTo(expected.get(name));
			assertThat(field.string()).isEqualTo(expected.get(name).stringValue(null));
		});
	}

	@Property
	void rawValuesAreUnchanged(@ForAll("values") List<String> values, @ForAll("blanks") String blank) {
		StringBuilder body = new StringBuilder(blank).append('{').append(blank);
		for (int i = 0; i < values.size(); i++) {
			body.append((i > 0) ? "," : "").append(blank).append("\"f").append(i).append('"').append(blank).append(':');
			body.append(blank).append(values.get(i)).append(blank);
		}
		body.append('}').append(blank);
		Map<String, JsonField> fields = STRICT.read(body.toString().getBytes(StandardCharsets.UTF_8),
				ErrorCode.BAD_MESSAGE);
		assertThat(fields.values().stream().map(JsonField::raw)).isEqualTo(values);
	}

	@Provide
	Arbitrary<List<String>> values() {
		return value(2).list().ofMaxSize(5);
	}

	@Provide
	Arbitrary<String> blanks() {
		return Arbitraries.of("", " ", "\r\n\t", "   ");
	}

	private static Arbitrary<String> value(int depth) {
		Arbitrary<String> strings = Arbitraries.strings()
			.withCharRange(' ', '~')
			.withChars("\u00e4\u6f22\uffff")
			.ofMaxLength(30)
			.map((text) -> "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("/", "\\/")
					+ "\ud83d\ude00\"");
		Arbitrary<String> numbers = Arbitraries.bigDecimals()
			.between(new BigDecimal("-1e30"), new BigDecimal("1e30"))
			.ofScale(20)
			.map(BigDecimal::toPlainString);
		Arbitrary<String> odd = Arbitraries.of("1e400", "-0", "-0.0", "0.10", "1E-400", "9223372036854775808", "true",
				"false", "null", "\"\"", "[]", "{}", "[ ]", "{ }", "\"\\u0041\\ud83d\\ude00\"");
		if (depth == 0) {
			return Arbitraries.oneOf(strings, numbers, odd);
		}
		Arbitrary<String> inner = value(depth - 1);
		return Arbitraries.oneOf(strings, numbers, odd,
				inner.list().ofMaxSize(3).map((each) -> "[ " + String.join(" ,\n", each) + " ]"),
				inner.map((each) -> "{\"a\" :\t" + each + " }"));
	}

	@Provide
	Arbitrary<byte[]> damaged() {
		Arbitrary<String> pieces = Arbitraries.oneOf(Arbitraries.of(PIECES),
				Arbitraries.strings().withCharRange('\0', '\u00ff').ofMaxLength(4));
		Arbitrary<List<Splice>> splices = Combinators
			.combine(Arbitraries.integers().between(0, 200), Arbitraries.integers().between(0, 8), pieces)
			.as(Splice::new)
			.list()
			.ofMaxSize(3);
		return Combinators.combine(Arbitraries.of(GOOD), splices).as((body, each) -> {
			String damaged = body;
			for (Splice splice : each) {
				damaged = splice.apply(damaged);
			}
			return damaged.getBytes(StandardCharsets.ISO_8859_1);
		});
	}

	/** Replaces a range of bytes; each character stands for one byte. */
	private record Splice(int place, int cut, String insert) {

		String apply(String bytes) {
			int from = this.place % (bytes.length() + 1);
			int to = Math.min(bytes.length(), from + this.cut);
			return bytes.substring(0, from) + this.insert + bytes.substring(to);
		}

	}

	private static JsonMapper mapper() {
		JsonMapper.Builder builder = JsonMapper.builder();
		new JsonConfiguration().refuseOtherTypes().customize(builder);
		return builder.build();
	}

	/** Returns the request body types of all controllers. */
	private static List<Class<?>> bodies() {
		ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false);
		scanner.addIncludeFilter(new AnnotationTypeFilter(RestController.class));
		List<Class<?>> bodies = new ArrayList<>();
		scanner.findCandidateComponents("io.parley.server").forEach((bean) -> {
			Class<?> controller = ClassUtils.resolveClassName(String.valueOf(bean.getBeanClassName()), null);
			for (Method method : controller.getDeclaredMethods()) {
				Arrays.stream(method.getParameters())
					.filter((parameter) -> parameter.isAnnotationPresent(RequestBody.class))
					.map(Parameter::getType)
					.filter((type) -> type != byte[].class)
					.forEach(bodies::add);
			}
		});
		assertThat(bodies).hasSizeGreaterThan(8);
		return bodies;
	}

}
