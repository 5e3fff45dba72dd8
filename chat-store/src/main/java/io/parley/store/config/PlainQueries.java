package io.parley.store.config;

import org.springframework.data.jpa.repository.query.QueryEnhancerFactories;
import org.springframework.data.jpa.repository.query.QueryEnhancerSelector;

/**
 * Makes Spring Data pass queries to Hibernate without parsing them first. It parses them
 * only to add sort orders and counts, which no repository of the store uses. Hibernate
 * still checks each query at the start. The second parser needed a third of the memory
 * that a start allocates (docs/results/2026-11-25-start.md).
 */
final class PlainQueries extends QueryEnhancerSelector.DefaultQueryEnhancerSelector {

	PlainQueries() {
		super(QueryEnhancerFactories.fallback(), QueryEnhancerFactories.fallback());
	}

}
