/** Who may sign in. */
@NullMarked
package io.parley.store.account;

import org.jspecify.annotations.NullMarked;
