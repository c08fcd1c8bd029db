import type { Insight } from '../../../src/shared/insights'

/** Insights of these pages that count against the plan: a person's own. */
export const countLimitedInsights = (
  pages: readonly { items: readonly Pick<Insight, 'origin'>[] }[] | undefined,
): number => (pages ?? []).reduce((sum, { items }) => sum + items.filter(({ origin }) => origin === 'person').length, 0)
