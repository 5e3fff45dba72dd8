package io.parley.server.demo;

import java.net.InetAddress;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * Settings that say who can reach the demo users.
 *
 * @param isPublic whether other machines may sign in as demo users, although the password
 * is public
 * @param publishedAddress the address at which clients reach a server in a container; if
 * not set, {@code server.address}
 */
@ConfigurationProperties("chat.demo")
record DemoProperties(@Name("public") @DefaultValue("false") boolean isPublic, @Nullable InetAddress publishedAddress) {

}
