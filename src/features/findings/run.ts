import { analyze } from './look'
import type { AnalyzedFinding, ReadContext } from './look'
import { findingStore } from './store'
import type { NewFinding } from './store'
import { analysisVersion } from './subjects/asked'
import { affectedDatasets, loadAnalysisCatalogue } from './workspace'
import type { AnalysisCatalogue } from './workspace'
import { commit } from '../../db/commit'
import { ProductError } from '../../shared/errors'
import type { FindingKind } from '../../shared/findings'
import type { CatalogueDataset } from '../../warehouse/contract'
import { canonicalJson, sha256HexSync } from '../../warehouse/query/hash'

/** Findings kept of one dataset. */
const FINDINGS_STORED_MAX = 60
const CLAIM_BYTES = 12
const KEY_CHARS = 32

/** What lasts is the same finding however long it has lasted; what happened once is one of its day. */
const LASTING_KINDS: ReadonlySet<FindingKind> = new Set<FindingKind>([
  'newMember',
  'lostMember',
  'concentration',
  'levelShift',
  'trendBreak',
  'streak',
  'season',
])

/** The same in every run that finds the same thing. */
function findingKey({ effect }: AnalyzedFinding): string {
  const { subject, kind, member, period } = effect
  const who = member && { dimension: member.dimension, value: member.value }
  const when = LASTING_KINDS.has(kind) ? null : period.from
  return sha256HexSync(canonicalJson({ subject, kind, who, when })).slice(0, KEY_CHARS)
}

/**
 * Looks at the figures of one dataset and puts what was found in the place of what was: all of it at once, or nothing.
 * Of two at the same time only the later one writes; one over older rows than another stops. False when it did not write.
 */
export async function analyzeDataset(
  context: ReadContext,
  analysisCatalogue: AnalysisCatalogue,
  home: CatalogueDataset,
): Promise<boolean> {
  const { deps, scope } = context
  const store = findingStore(deps.db, scope)
  const claim = deps.ids.token(CLAIM_BYTES)
  const run = { dataset: home.id, dataVersion: home.dataVersion, claim, now: deps.clock.now() }
  if (!(await store.claim(run))) return false
  const candidates = analysisCatalogue.candidates.filter(({ dataset }) => dataset === home.id)
  const seen = await analyze(context, { workspace: analysisCatalogue, home, candidates }, () => store.isCurrent(run))
  if (!seen) return false
  const found = new Map<string, NewFinding>()
  for (const each of seen) {
    const key = findingKey(each)
    if (!found.has(key)) found.set(key, { id: deps.ids.next('finding'), key, ...each })
  }
  const subjects = candidates.map(analysisVersion)
  const kept = [...found.values()].slice(0, FINDINGS_STORED_MAX)
  try {
    const change = store.replace({ ...run, now: deps.clock.now() }, kept, subjects)
    await commit(deps, { change, expect: { onMissed: () => new ProductError('busy') } })
    await deps.live(scope).publish({ kind: 'changed', noun: 'finding', id: null })
    return true
  } catch (error) {
    // A later look has taken over: it writes.
    if (error instanceof ProductError) return false
    throw error
  }
}

/** After new rows: everything that is measured over them, or taken apart by them. */
export async function analyzeAffectedDatasets(context: ReadContext, datasetId: string): Promise<void> {
  const workspace = await loadAnalysisCatalogue(context.deps, context.scope)
  for (const home of affectedDatasets(workspace, datasetId)) await analyzeDataset(context, workspace, home)
}

/** Some datasets, one after the other. */
export async function analyzeDatasets(context: ReadContext, datasets: ReadonlySet<string>): Promise<void> {
  const workspace = await loadAnalysisCatalogue(context.deps, context.scope)
  for (const home of workspace.datasets) if (datasets.has(home.id)) await analyzeDataset(context, workspace, home)
}
