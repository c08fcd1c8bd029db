import { isMoneyFigure } from '../../shared/data-sources/key-columns'
import { isFactKind, type FindingKind } from '../../shared/findings'
import type { KeyedFinding } from '../../shared/briefing/briefing'

/** What findings are of, as stories are told by it: amounts that are earned, what they cost, and whose rows they are. */

export const sizeOf = ({ effect }: KeyedFinding): number => Math.abs(Number(effect.change))
export const isSum = ({ about }: KeyedFinding): boolean => about.format.style !== 'percent'

/** A figure of money that a business wants more of; a cost is one that it wants less of. */
export const isEarning = ({ about }: KeyedFinding): boolean => isMoneyFigure(about) && about.direction !== 'down'
export const isCost = ({ about, kind }: KeyedFinding): boolean =>
  kind !== 'influencer' && isMoneyFigure(about) && about.direction === 'down'

/** Whose rows happened together: lines, and the documents that they are dated by. */
export const documentsOf = ({ about }: KeyedFinding): string => about.time.dataset
export const earningDocuments = (findings: readonly KeyedFinding[]): Set<string> =>
  new Set(findings.filter(isEarning).map(documentsOf))

/** Tables of others that a figure's rows point at: whose columns it is taken apart by, and not those of its documents. */
const tablesPointedAt = ({ about }: KeyedFinding): string[] =>
  about.dimensions
    .map(({ field }) => field.dataset)
    .filter((dataset) => dataset !== about.dataset && dataset !== about.time.dataset)

/** How many rows there are, where nobody asked for it. */
const isProposedCount = ({ kind, about: { measure, metric, insights } }: KeyedFinding): boolean =>
  kind !== 'influencer' &&
  metric === null &&
  insights.length === 0 &&
  measure.kind === 'column' &&
  measure.agg === 'count' &&
  measure.field === undefined

/**
 * Of these, how many were entered in a list that documents point at and that points at nothing: customers, products, employees. What
 * points at others is a document itself, as visits are that are billed.
 */
export function countsOfLists(findings: readonly KeyedFinding[]): (finding: KeyedFinding) => boolean {
  const pointedAt = new Set(findings.flatMap(tablesPointedAt))
  return (finding) =>
    isProposedCount(finding) && pointedAt.has(finding.about.dataset) && tablesPointedAt(finding).length === 0
}

/** A season is told after all that happened, whatever its size. */
export const isKnownPattern = ({ kind }: KeyedFinding): boolean => kind === 'season'

/** How large something is, not how it changed. */
export const isLevel = (kind: FindingKind): boolean => isFactKind(kind) && kind !== 'growth'
