package io.parley.jmeter;

import java.nio.file.Path;

import org.apache.jmeter.reporters.ResultCollector;
import org.apache.jmeter.testelement.TestElement;
import us.abstracta.jmeter.javadsl.core.listeners.HtmlReporter;

/**
 * JMeter's own report, restricted to the steps. With sub-results it would also count each
 * frame that a filter skipped.
 */
final class Dashboard extends HtmlReporter {

	Dashboard(Path folder, String name) {
		super(folder.toString(), name);
	}

	@Override
	public TestElement buildTestElement() {
		TestElement collector = super.buildTestElement();
		((ResultCollector) collector).getSaveConfig().setSubresults(false);
		return collector;
	}

}
