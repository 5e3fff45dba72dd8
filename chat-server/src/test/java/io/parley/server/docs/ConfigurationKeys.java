package io.parley.server.docs;

import java.lang.reflect.Parameter;
import java.util.Map;
import java.util.TreeMap;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/** The keys of all {@link ConfigurationProperties} records on the class path. */
final class ConfigurationKeys {

	private ConfigurationKeys() {
	}

	/** Returns the default by key; {@code none} for a key without a default. */
	static Map<String, String> defaults() {
		ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false);
		scanner.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
		Map<String, String> defaults = new TreeMap<>();
		for (BeanDefinition found : scanner.findCandidateComponents("io.parley")) {
			Class<?> type = ClassUtils.resolveClassName(String.valueOf(found.getBeanClassName()), null);
			collect(type, type.getAnnotation(ConfigurationProperties.class).value(), defaults);
		}
		return defaults;
	}

	private static void collect(Class<?> type, String prefix, Map<String, String> defaults) {
		if (!type.isRecord()) {
			throw new IllegalStateException(type + " is no record");
		}
		for (Parameter component : type.getDeclaredConstructors()[0].getParameters()) {
			String key = prefix + "." + nameOf(component);
			if (component.getType().isRecord()) {
				collect(component.getType(), key, defaults);
			}
			else {
				defaults.put(key, defaultOf(component));
			}
		}
	}

	private static String nameOf(Parameter component) {
		Name name = component.getAnnotation(Name.class);
		return (name != null) ? name.value() : DataObjectPropertyName.toDashedForm(component.getName());
	}

	private static String defaultOf(Parameter component) {
		DefaultValue value = component.getAnnotation(DefaultValue.class);
		return (value == null || value.value().length == 0) ? "none" : String.join(",", value.value());
	}

}
