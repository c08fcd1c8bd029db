import { rankFindings } from './ranking'
import type { ReadContext } from './look'
import { toFinding, visibleFindings } from './service'
import { findingStore } from './store'
import { loadAnalysisCatalogue } from './workspace'
import type { Finding } from '../../shared/finding-feed'

/**
 * What was first found after an instant (epoch milliseconds) and the reader has not hidden, the most telling first.
 * Nothing is looked at for it: whoever has rights of their own hears of what was found when they asked.
 */
export async function newFindings(
  { deps, scope }: ReadContext,
  { since, most }: { since: number; most: number },
): Promise<Finding[]> {
  const kept = await findingStore(deps.db, scope).list()
  if (!kept.some(({ firstFoundAt }) => Date.parse(firstFoundAt) > since)) return []
  const shown = visibleFindings(kept, await loadAnalysisCatalogue(deps, scope), { hidden: '0', limit: most })
  const fresh = shown.filter(({ firstFoundAt }) => Date.parse(firstFoundAt) > since)
  return rankFindings(fresh, deps.clock.now()).slice(0, most).map(toFinding)
}
