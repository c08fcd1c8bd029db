import { lookAt } from './look'
import type { FoundIn, Looking } from './look'
import { findingStore } from './store'
import type { Found } from './store'
import { lookedAt } from './subjects/asked'
import { touchedBy, workspaceOf } from './workspace'
import type { Workspace } from './workspace'
import { commit } from '../../db/commit'
import { ProductError } from '../../shared/errors'
import type { FindingKind } from '../../shared/findings'
import type { CatalogueDataset } from '../../warehouse/contract'
import { canonical, sha256 } from '../../warehouse/query/hash'

/** Findings kept of one dataset. */
const KEPT_MAX = 60
const CLAIM_BYTES = 12
const KEY_CHARS = 32

/** What lasts is the same finding however long it has lasted; what happened once is one of its day. */
const LASTING: ReadonlySet<FindingKind> = new Set<FindingKind>([
  'newMember',
  'lostMember',
  'concentration',
  'levelShift',
  'trendBreak',
  'streak',
  'season',
])

/** The same in every run that finds the same thing. */
function keyOf({ effect }: FoundIn): string {
  const { subject, kind, member, period } = effect
  const who = member && { dimension: member.dimension, value: member.value }
  const when = LASTING.has(kind) ? null : period.from
  return sha256(canonical({ subject, kind, who, when })).slice(0, KEY_CHARS)
}

/**
 * Looks at the figures of one dataset and puts what was found in the place of what was: all of it at once, or nothing.
 * Of two at the same time only the later one writes; one over older rows than another stops. False when it did not write.
 */
export async function runOver(looking: Looking, workspace: Workspace, home: CatalogueDataset): Promise<boolean> {
  const { deps, scope } = looking
  const store = findingStore(deps.db, scope)
  const claim = deps.ids.token(CLAIM_BYTES)
  const run = { dataset: home.id, dataVersion: home.dataVersion, claim, now: deps.clock.now() }
  if (!(await store.claim(run))) return false
  const asked = workspace.asked.filter(({ dataset }) => dataset === home.id)
  const seen = await lookAt(looking, { workspace, home, asked }, () => store.stands(run))
  if (!seen) return false
  const found = new Map<string, Found>()
  for (const each of seen) {
    const key = keyOf(each)
    if (!found.has(key)) found.set(key, { id: deps.ids.next('finding'), key, ...each })
  }
  const subjects = asked.map(lookedAt)
  const kept = [...found.values()].slice(0, KEPT_MAX)
  try {
    const change = store.replace({ ...run, now: deps.clock.now() }, kept, subjects)
    await commit(deps, { change, expect: { onMissed: () => new ProductError('busy') } })
    await deps.live(scope).tell({ kind: 'changed', noun: 'finding', id: null })
    return true
  } catch (error) {
    // A later look has taken over: it writes.
    if (error instanceof ProductError) return false
    throw error
  }
}

/** After new rows: everything that is measured over them, or taken apart by them. */
export async function lookThroughAround(looking: Looking, datasetId: string): Promise<void> {
  const workspace = await workspaceOf(looking.deps, looking.scope)
  for (const home of touchedBy(workspace, datasetId)) await runOver(looking, workspace, home)
}

/** Some datasets, one after the other. */
export async function lookThrough(looking: Looking, datasets: ReadonlySet<string>): Promise<void> {
  const workspace = await workspaceOf(looking.deps, looking.scope)
  for (const home of workspace.datasets) if (datasets.has(home.id)) await runOver(looking, workspace, home)
}
