/** The accounts of the users. */
@NullMarked
package io.parley.store.account;

import org.jspecify.annotations.NullMarked;
