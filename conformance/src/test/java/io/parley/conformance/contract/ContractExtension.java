package io.parley.conformance.contract;

import java.util.List;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fails a test in which a server or a client differed from docs/api. Clients outside must
 * ignore types and fields that they do not know; here they are an error, because the
 * documents must name all of them.
 */
public final class ContractExtension implements AfterEachCallback {

	@Override
	public void afterEach(ExtensionContext context) {
		List<String> differences = DocumentedContract.takeDifferences();
		assertThat(differences).as("what differs from docs/api").isEmpty();
	}

}
