package io.parley.system.browser;

import java.util.Comparator;

import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;

/**
 * Runs the browser tests before the tests with containers. Chromium aborts all loads when
 * the network interfaces of the machine change, and each container that starts or stops
 * changes them.
 */
public final class BrowsersFirst implements ClassOrderer {

	private static final Comparator<ClassDescriptor> ORDER = Comparator
		.comparing((test) -> !test.getTestClass().getPackage().equals(BrowsersFirst.class.getPackage()));

	@Override
	public void orderClasses(ClassOrdererContext context) {
		context.getClassDescriptors().sort(ORDER);
	}

}
