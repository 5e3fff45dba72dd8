/** Accounts, sign-in, tokens and HTTP security. */
@NullMarked
package io.parley.server.account;

import org.jspecify.annotations.NullMarked;
