package io.parley.jmeter;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

import org.apache.jmeter.gui.JMeterGUIComponent;
import org.apache.jmeter.samplers.Sampler;
import org.apache.jmeter.save.SaveService;
import org.apache.jmeter.testelement.TestElement;
import org.apache.jorphan.collections.HashTree;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import us.abstracta.jmeter.javadsl.core.engines.JmeterEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the plans as JMeter reads them.
 */
class PlanTests {

	private static final List<String> SEVEN = List.of("open WebSocket", "CONNECT", "read 1", "SUBSCRIBE", "read 2",
			"DISCONNECT", "close");

	@BeforeAll
	static void setUp() throws Exception {
		new JmeterEnvironment();
	}

	@Test
	void theSevenStepsAreTheSamplers() throws Exception {
		assertThat(samplers("seven-steps")).containsExactlyInAnyOrder("open WebSocket", "CONNECT", "read 1",
				"SUBSCRIBE", "read 2", "hold", "DISCONNECT", "read 2", "close");
	}

	@Test
	void sendingHasTheSameStepsAndItsOwn() throws Exception {
		assertThat(samplers("send")).containsAll(SEVEN).contains("SEND", "RECEIPT");
	}

	@ParameterizedTest
	@ValueSource(strings = { "seven-steps", "send" })
	void everyElementHasItsPanelInTheGui(String plan) throws Exception {
		List<TestElement> elements = elements(load(plan));
		assertThat(elements).hasSizeGreaterThan(20);
		for (TestElement element : elements) {
			String panel = SaveService.aliasToClass(element.getPropertyAsString(TestElement.GUI_CLASS));
			assertThat(JMeterGUIComponent.class).as(element.getName()).isAssignableFrom(Class.forName(panel));
		}
		assertThat(elements).extracting((element) -> element.getPropertyAsString(TestElement.GUI_CLASS))
			.anyMatch((panel) -> panel.endsWith("SummaryReport"))
			.anyMatch((panel) -> panel.endsWith("ViewResultsFullVisualizer"));
	}

	private static List<String> samplers(String plan) throws Exception {
		return elements(load(plan)).stream().filter(Sampler.class::isInstance).map(TestElement::getName).toList();
	}

	private static HashTree load(String plan) throws Exception {
		return SaveService.loadTree(new File("plans", plan + ".jmx"));
	}

	private static List<TestElement> elements(HashTree tree) {
		List<TestElement> elements = new ArrayList<>();
		for (Object element : tree.list()) {
			elements.add((TestElement) element);
			elements.addAll(elements(tree.getTree(element)));
		}
		return elements;
	}

}
