/** Tests that the documentation matches the code. */
@NullMarked
package io.parley.server.docs;

import org.jspecify.annotations.NullMarked;
