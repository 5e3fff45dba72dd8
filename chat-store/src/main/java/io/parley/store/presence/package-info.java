/** Who is connected to which node. */
@NullMarked
package io.parley.store.presence;

import org.jspecify.annotations.NullMarked;
