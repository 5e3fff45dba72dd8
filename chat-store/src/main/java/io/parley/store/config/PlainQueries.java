package io.parley.store.config;

import org.springframework.data.jpa.repository.query.QueryEnhancerFactories;
import org.springframework.data.jpa.repository.query.QueryEnhancerSelector;

/**
 * Makes Spring Data pass queries to Hibernate without parsing them first. Its parser adds
 * sort orders and counts, which no repository of the store uses, and allocates a third of
 * the memory of a start (docs/results/2026-11-25-start.md). Hibernate still checks each
 * query at the start.
 */
final class PlainQueries extends QueryEnhancerSelector.DefaultQueryEnhancerSelector {

	PlainQueries() {
		super(QueryEnhancerFactories.fallback(), QueryEnhancerFactories.fallback());
	}

}
