/**
 * The commands {@code ledger} and {@code resume}: an account of each message.
 */
@NullMarked
package io.parley.loadtest.ledger;

import org.jspecify.annotations.NullMarked;
