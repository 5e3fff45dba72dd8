/** Security headers of all HTTP responses. */
@NullMarked
package io.parley.server.headers;

import org.jspecify.annotations.NullMarked;
