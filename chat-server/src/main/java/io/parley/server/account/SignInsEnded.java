package io.parley.server.account;

import java.util.List;

/**
 * This server has ended sign-ins of a user. Published as an application event, inside the
 * transaction that ends them.
 *
 * @param signIns their ids
 */
public record SignInsEnded(String username, List<String> signIns) {
}
