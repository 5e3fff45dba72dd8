/** The accounts of the users, and their sign-ins. */
@NullMarked
package io.parley.store.account;

import org.jspecify.annotations.NullMarked;
