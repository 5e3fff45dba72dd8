/** Takes pushes in the place of Firebase Cloud Messaging. */
@NullMarked
package io.parley.fakefcm;

import org.jspecify.annotations.NullMarked;
