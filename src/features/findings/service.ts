import { rankFindings } from './ranking'
import { analyzeDataset } from './run'
import type { ReadContext } from './look'
import { findingStore, purgeFindings } from './store'
import type { StoredFinding, AnalysisRun } from './store'
import { analysisVersion } from './subjects/asked'
import { loadAnalysisCatalogue } from './workspace'
import type { AnalysisCatalogue } from './workspace'
import { reportingCurrency } from '../../access/rates/followed'
import { hasFullAccess } from '../../access/rights'
import type { Scope } from '../../access/scope'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { encodeCursor, decodeCursor } from '../../http/cursor'
import type { ReplyFactory } from '../../http/idempotency'
import { ProductError } from '../../shared/errors'
import type { Finding, FindingPage, ListFindingsQuery, FindingRating } from '../../shared/finding-feed'
import type { CatalogueDataset } from '../../warehouse/contract'

export interface RequestContext extends ReadContext {
  reply: ReplyFactory
}
/** What of the workspace's findings is wanted. */
type FindingFilter = Pick<ListFindingsQuery, 'insight' | 'metric' | 'dataset' | 'hidden' | 'cursor' | 'limit'>

/** Datasets looked at within one call. */
const DATASETS_MAX = 10

/** Findings that the asker may see, best first. Whoever has rights of their own has figures looked at when they ask. */
export async function listFindings(ask: ReadContext, findingFilter: FindingFilter): Promise<FindingPage> {
  const { deps, scope } = ask
  const workspace = await loadAnalysisCatalogue(deps, scope)
  const store = findingStore(deps.db, scope)
  const before = await store.runs()
  const late = staleDatasets(workspace, before).filter((each) => matchesFilter(each, workspace, findingFilter))
  const now = hasFullAccess(scope)
    ? late.filter((each) => hasNewCandidates(each, workspace, { wanted: findingFilter, looks: before }))
    : late
  for (const home of now.slice(0, DATASETS_MAX)) await analyzeDataset(ask, workspace, home)
  const looks = now.length > 0 ? await store.runs() : before
  const kept = visibleFindings(await store.list(), workspace, findingFilter)
  const times = looks.flatMap(({ at }) => at ?? [])
  return {
    ...pageFindings(rankFindings(kept, deps.clock.now()), findingFilter),
    lookedAt: times.length === 0 ? null : new Date(Math.max(...times)).toISOString(),
    behind: staleDatasets(workspace, looks).some((each) => matchesFilter(each, workspace, findingFilter)),
    ...(kept.length === 0 ? await refusalReason(ask, workspace, findingFilter) : {}),
  }
}

/** Why one figure cannot be looked at: amounts of several currencies that the plan does not convert. */
async function refusalReason(
  ask: ReadContext,
  { candidates }: AnalysisCatalogue,
  { insight, metric }: FindingFilter,
): Promise<Pick<FindingPage, 'declined'>> {
  const one = candidates.find((each) =>
    metric === undefined ? insight !== undefined && each.insights.includes(insight) : each.metric === metric,
  )
  try {
    if (one) await reportingCurrency(ask, one)
    return {}
  } catch (error) {
    if (error instanceof ProductError && error.code === 'mixed_currency') return { declined: error.message }
    throw error
  }
}

/** Datasets with figures to look at whose newest rows, or newest questions, have not been looked at. */
function staleDatasets({ datasets, candidates }: AnalysisCatalogue, looks: readonly AnalysisRun[]): CatalogueDataset[] {
  const last = new Map(looks.map((look) => [look.dataset, look]))
  return datasets.filter(({ id, dataVersion, rowCount }) => {
    const own = candidates.filter(({ dataset }) => dataset === id)
    const look = last.get(id)
    if (rowCount === 0 || own.length === 0) return false
    return look?.version !== dataVersion || own.some((each) => !look.subjects.includes(analysisVersion(each)))
  })
}

function matchesFilter(
  { id }: CatalogueDataset,
  { candidates }: AnalysisCatalogue,
  { insight, metric, dataset }: FindingFilter,
): boolean {
  if (dataset !== undefined && dataset !== id) return false
  return candidates.some(
    (each) =>
      each.dataset === id &&
      (insight === undefined || each.insights.includes(insight)) &&
      (metric === undefined || each.metric === metric),
  )
}

/** New rows are followed by themselves; a figure that nobody has asked for before is looked at when it is asked about. */
function hasNewCandidates(
  { id }: CatalogueDataset,
  { candidates }: AnalysisCatalogue,
  { wanted, looks }: { wanted: FindingFilter; looks: readonly AnalysisRun[] },
): boolean {
  if (wanted.insight === undefined && wanted.metric === undefined) return false
  const known = looks.find(({ dataset }) => dataset === id)?.subjects ?? []
  return candidates.some(
    (each) =>
      each.dataset === id &&
      !known.includes(analysisVersion(each)) &&
      (wanted.insight === undefined || each.insights.includes(wanted.insight)) &&
      (wanted.metric === undefined || each.metric === wanted.metric),
  )
}

/** What is still asked for, named by what asks for it now. */
export function visibleFindings(
  kept: readonly StoredFinding[],
  { candidates, find }: AnalysisCatalogue,
  findingFilter: FindingFilter,
): StoredFinding[] {
  const live = new Map(candidates.map((each) => [each.key, each]))
  return kept.flatMap((finding) => {
    const now = live.get(finding.subject)
    if (!now || !find(now.dataset)) return []
    if (findingFilter.dataset !== undefined && now.dataset !== findingFilter.dataset) return []
    if (findingFilter.insight !== undefined && !now.insights.includes(findingFilter.insight)) return []
    if (findingFilter.metric !== undefined && now.metric !== findingFilter.metric) return []
    if (finding.hidden !== (findingFilter.hidden === '1')) return []
    const { label, insights, metric, direction } = now
    return [{ ...finding, about: { ...finding.about, label, insights, metric, direction } }]
  })
}

/** A page of a ranking: a cursor names the last one shown; when it is gone, the place where it stood. */
function pageFindings(
  kept: readonly StoredFinding[],
  { cursor, limit }: FindingFilter,
): { items: Finding[]; nextCursor: string | null } {
  const after = decodeCursor(cursor, 'finding')
  const stood = after ? kept.findIndex(({ id }) => id === after.id) : -1
  const start = after ? (stood === -1 ? after.at : stood + 1) : 0
  const page = kept.slice(start, start + limit)
  const last = page.at(-1)
  const nextCursor = last && start + limit < kept.length ? encodeCursor({ at: start + limit - 1, id: last.id }) : null
  return { items: page.map(toFinding), nextCursor }
}

export const toFinding = ({ key: _key, ...finding }: StoredFinding): Finding => finding

/** Looks at figures now: of one dataset, or of all. */
export async function refreshFindings(
  context: RequestContext,
  { dataset }: { dataset?: string | undefined },
): Promise<FindingPage> {
  const { deps, scope } = context
  const workspace = await loadAnalysisCatalogue(deps, scope)
  if (dataset !== undefined && !workspace.find(dataset)) throw new ProductError('not_found')
  const homes = workspace.datasets.filter(({ id }) => dataset === undefined || id === dataset)
  const some = homes.filter(({ id }) => workspace.candidates.some((each) => each.dataset === id)).slice(0, DATASETS_MAX)
  for (const home of some) await analyzeDataset(context, workspace, home)
  const page = await listFindings(context, { hidden: '0', limit: 5, ...(dataset === undefined ? {} : { dataset }) })
  const { workspaceId, actorId } = scope
  const entry = { workspaceId, actorId, action: 'finding.refresh', entity: 'workspace', entityId: workspaceId }
  await commit(deps, { change: [], audit: [entry], reply: context.reply(page) })
  return page
}

async function requireFinding({ deps, scope }: ReadContext, id: string): Promise<StoredFinding> {
  const finding = await findingStore(deps.db, scope).get(id)
  if (!finding) throw new ProductError('not_found')
  return finding
}

type FindingMark =
  | { what: 'pinned' | 'hidden'; value: boolean; action: string }
  | { what: 'rating'; value: FindingRating | null; action: string }

/** What the asker thinks of a finding: their own, and kept when the finding goes and comes again. */
async function saveMark(context: RequestContext, id: string, { what, value, action }: FindingMark): Promise<Finding> {
  const { deps, scope } = context
  const before = await requireFinding(context, id)
  const after = toFinding({ ...before, [what]: value })
  const now = deps.clock.now()
  const column = what === 'rating' ? what : (`${what}_at` as const)
  const stored = typeof value === 'boolean' ? (value ? now : null) : value
  const { workspaceId, actorId } = scope
  await commit(deps, {
    change: [findingStore(deps.db, scope).mark(before.key, { what: column, value: stored, now })],
    audit: [{ workspaceId, actorId, action, entity: 'finding', entityId: id, before: before[what], after: value }],
    reply: context.reply(after),
  })
  return after
}

export const pinFinding = (context: RequestContext, id: string, on: boolean): Promise<Finding> =>
  saveMark(context, id, { what: 'pinned', value: on, action: on ? 'finding.pin' : 'finding.unpin' })
export const hideFinding = (context: RequestContext, id: string, on: boolean): Promise<Finding> =>
  saveMark(context, id, { what: 'hidden', value: on, action: on ? 'finding.hide' : 'finding.show' })
export const rateFinding = (context: RequestContext, id: string, rating: FindingRating | null): Promise<Finding> =>
  saveMark(context, id, { what: 'rating', value: rating, action: 'finding.rate' })

/** @throws ProductError `not_found` for an insight that is deleted or another workspace's */
export async function insightFindings(
  ask: ReadContext,
  id: string,
  wanted: Omit<FindingFilter, 'insight'>,
): Promise<FindingPage> {
  await requireInsight(ask, id)
  return listFindings(ask, { ...wanted, insight: id })
}

async function requireInsight({ deps, scope }: { deps: Pick<Deps, 'db'>; scope: Scope }, id: string) {
  const found = await deps.db.d1
    .prepare('SELECT 1 FROM insights WHERE workspace_id = ? AND id = ? AND deleted_at IS NULL')
    .bind(scope.workspaceId, id)
    .first()
  if (!found) throw new ProductError('not_found')
}

/** How long findings of rights of their own are kept when nobody asks by them. */
const UNREAD_RETENTION_MS = 30 * 24 * 60 * 60 * 1000

/** Removes what was found in datasets that are gone for good, and by rights that nobody seems to have any more. */
export async function sweepFindings({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await db.d1.batch(purgeFindings(db, clock.now() - UNREAD_RETENTION_MS))
}
