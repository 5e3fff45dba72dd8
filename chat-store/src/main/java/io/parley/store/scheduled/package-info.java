/** Messages that are sent later. */
@NullMarked
package io.parley.store.scheduled;

import org.jspecify.annotations.NullMarked;
