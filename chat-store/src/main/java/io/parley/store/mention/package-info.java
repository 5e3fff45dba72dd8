/** Who is mentioned by which messages. */
@NullMarked
package io.parley.store.mention;

import org.jspecify.annotations.NullMarked;
