/** Texts that users have written and not sent yet. */
@NullMarked
package io.parley.store.draft;

import org.jspecify.annotations.NullMarked;
