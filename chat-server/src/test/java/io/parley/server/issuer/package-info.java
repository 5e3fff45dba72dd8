@NullMarked
package io.parley.server.issuer;

import org.jspecify.annotations.NullMarked;
