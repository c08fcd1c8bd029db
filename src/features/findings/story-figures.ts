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

/** A season is told after all that happened, whatever its size. */
export const isKnownPattern = ({ kind }: KeyedFinding): boolean => kind === 'season'

/** How large something is, not how it changed. */
export const isLevel = (kind: FindingKind): boolean => isFactKind(kind) && kind !== 'growth'
