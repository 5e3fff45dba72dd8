package io.parley.store.config;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.zaxxer.hikari.HikariDataSource;
import io.parley.log.config.KnownPasswordCheck;
import io.parley.log.config.KnownPasswordException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Fails the startup if a publicly known password would be used for MySQL on another
 * machine: see {@link KnownPasswordException}. A login without a password is accepted if
 * the URL names a client certificate.
 */
class MySqlPasswordCheck implements BeanPostProcessor {

	private static final Pattern HOST = Pattern.compile("\\bhost\\s*=\\s*([^),\\s]+)", Pattern.CASE_INSENSITIVE);

	@Override
	public Object postProcessBeforeInitialization(Object bean, String name) {
		if (bean instanceof HikariDataSource pool && pool.getJdbcUrl() != null
				&& pool.getJdbcUrl().startsWith("jdbc:mysql:")
				&& !pool.getJdbcUrl().contains("clientCertificateKeyStoreUrl=")) {
			String url = pool.getJdbcUrl();
			KnownPasswordCheck.check("MySQL", hosts(url), given(pool.getUsername(), url, "user"),
					given(pool.getPassword(), url, "password"), "spring.datasource.password");
		}
		return bean;
	}

	/** Returns the setting, or that of the URL. */
	private static @Nullable String given(@Nullable String setting, String url, String parameter) {
		if (setting != null && !setting.isEmpty()) {
			return setting;
		}
		Matcher inUrl = Pattern.compile("[?&]" + parameter + "=([^&]*)").matcher(url);
		return inUrl.find() ? URLDecoder.decode(inUrl.group(1), StandardCharsets.UTF_8) : setting;
	}

	/**
	 * Returns the hosts of a URL of Connector/J. What cannot be read is returned as it
	 * is, so that it does not count as this machine.
	 */
	static List<String> hosts(String url) {
		int start = url.indexOf("//");
		String all = url.substring(start + 2).replaceFirst("[/?].*", "");
		if (start < 0) {
			return List.of(url);
		}
		if (all.contains("(")) {
			List<String> named = HOST.matcher(all).results().map((host) -> host.group(1)).toList();
			return named.isEmpty() ? List.of(all) : named;
		}
		return Arrays.stream(all.split(",", -1))
			.map((host) -> host.substring(host.lastIndexOf('@') + 1))
			.map((host) -> (host.isEmpty() || host.startsWith(":")) ? "localhost" : host)
			.toList();
	}

}
