/** Tokens of external issuers, whose users a team has already. */
@NullMarked
package io.parley.server.issuer;

import org.jspecify.annotations.NullMarked;
