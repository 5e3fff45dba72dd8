/** What the documentation says is true. */
@NullMarked
package io.parley.server.docs;

import org.jspecify.annotations.NullMarked;
