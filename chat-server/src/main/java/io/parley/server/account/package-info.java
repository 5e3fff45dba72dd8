/** Accounts, sign-in and the tokens that prove it. */
@NullMarked
package io.parley.server.account;

import org.jspecify.annotations.NullMarked;
