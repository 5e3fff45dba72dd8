package io.parley.server.docs;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.parley.server.issuer.IssuerProperties;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

import static org.assertj.core.api.Assertions.assertThat;

class ConfigurationDocsTests {

	private static final Document DOCUMENT = Document.read("docs/configuration.md");

	@Test
	void listsEachPropertyWithItsDefault() {
		assertThat(documented()).containsAllEntriesOf(ConfigurationKeys.defaults());
	}

	@Test
	void listsNoUnusedKey() {
		assertThat(ConfigurationKeys.defaults().keySet()).containsAll(documented().keySet());
	}

	@Test
	void namesTheEnvironmentVariableOfEachKey() {
		assertThat(DOCUMENT.rows().filter((row) -> row.getFirst().contains(".")))
			.allSatisfy((row) -> assertThat(row.get(1))
				.isEqualTo(row.getFirst().replace(".", "_").replace("-", "").toUpperCase(Locale.ROOT)));
	}

	@Test
	void listsEachKeyOfAnIssuer() {
		List<String> keys = Arrays.stream(IssuerProperties.Issuer.class.getRecordComponents())
			.map((component) -> DataObjectPropertyName.toDashedForm(component.getName()))
			.toList();
		assertThat(DOCUMENT.section("## External issuers").rows().skip(1).map(List::getFirst))
			.containsExactlyInAnyOrderElementsOf(keys);
	}

	private static Map<String, String> documented() {
		return DOCUMENT.rows()
			.filter((row) -> row.getFirst().startsWith("chat."))
			.collect(Collectors.toMap((row) -> row.getFirst(), (row) -> row.get(2), (one, other) -> other,
					TreeMap::new));
	}

}
