/** Reports of messages. */
@NullMarked
package io.parley.store.report;

import org.jspecify.annotations.NullMarked;
