/** What the log tells those who run it: health, metrics, and when to start it anew. */
@NullMarked
package io.parley.log.health;

import org.jspecify.annotations.NullMarked;
