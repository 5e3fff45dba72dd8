/** Members report messages; moderators and operators decide about the reports. */
@NullMarked
package io.parley.server.report;

import org.jspecify.annotations.NullMarked;
