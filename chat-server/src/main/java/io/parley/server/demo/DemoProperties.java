package io.parley.server.demo;

import java.net.InetAddress;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * Who can reach the demo users.
 *
 * @param isPublic whether others than this machine may, although everybody knows the
 * password
 * @param publishedAddress the address at which clients reach a server that runs in a
 * container; when not set, {@code server.address}
 */
@ConfigurationProperties("chat.demo")
record DemoProperties(@Name("public") @DefaultValue("false") boolean isPublic, @Nullable InetAddress publishedAddress) {

}
