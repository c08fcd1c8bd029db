import { findingStore, purgeFindings, type StoredFinding, type AnalysisRun } from './store'
import { analyzeDataset, basisMark, hasTested, newestPeriod } from './analyze'
import type { CalendarContext } from '../../semantic/calendar'
import { analysisVersion, type CandidateMetric } from './candidate-metrics'
import { loadAnalysisCatalogue, type AnalysisCatalogue } from './analysis-catalogue'
import { reportingCurrency } from '../../semantic/currency/reporting-currency'
import { hasFullAccess } from '../../scope'
import { auditEntryFactory, commit } from '../../db/commit'
import type { Deps, ReadContext } from '../../deps'
import { encodeCursor, decodeCursor } from '../../http/pagination'
import type { RequestContext } from '../../http/request-context'
import { rankFindings } from './rank-stories'
import { toIso } from '../../lib/iso'
import { DAY_MS } from '../../shared/dates'
import { ProductError } from '../../shared/errors'
import { isFactKind } from '../../shared/findings'
import type { Finding, FindingPage, ListFindingsQuery, FindingRating } from '../../shared/findings'
import type { CatalogueDataset } from '../../warehouse/contract'

type FindingWriteContext = CalendarContext & Pick<RequestContext, 'reply'>
/** What of the workspace's findings is wanted. */
type FindingFilter = Pick<ListFindingsQuery, 'insight' | 'metric' | 'dataset' | 'hidden' | 'cursor' | 'limit'>

/** Datasets looked at within one call. */
const DATASETS_MAX = 10

/** What was looked at, once what was due to be is. Whoever has rights of their own has figures looked at when they ask. */
async function lookThrough(
  context: CalendarContext,
  findingFilter: FindingFilter,
): Promise<{ workspace: AnalysisCatalogue; looks: AnalysisRun[] }> {
  const { deps, scope } = context
  const workspace = await loadAnalysisCatalogue(deps, scope)
  const store = findingStore(deps.db, scope)
  const before = await store.runs()
  const late = staleDatasets(workspace, before, findingFilter)
  const now = hasFullAccess(scope)
    ? late.filter((each) => hasNewCandidates(each, workspace, { wanted: findingFilter, looks: before }))
    : late
  for (const home of now.slice(0, DATASETS_MAX)) await analyzeDataset(context, workspace, home)
  return { workspace, looks: now.length > 0 ? await store.runs() : before }
}

/** Findings that the asker may see, best first. */
export async function listFindings(context: CalendarContext, findingFilter: FindingFilter): Promise<FindingPage> {
  const { deps, scope } = context
  const { workspace, looks } = await lookThrough(context, findingFilter)
  const found = visibleFindings(await findingStore(deps.db, scope).list(), { workspace, looks }, findingFilter)
  const ranked = rankFindings(found, deps.clock.now())
  const times = looks.flatMap(({ at }) => at ?? [])
  return {
    ...pageFindings(isOfOne(findingFilter) ? unusualFirst(ranked) : ranked, findingFilter),
    lookedAt: times.length === 0 ? null : toIso(Math.max(...times)),
    behind: staleDatasets(workspace, looks, findingFilter).length > 0,
    ...(found.length === 0 ? await reasonForNothing(context, workspace, findingFilter) : {}),
  }
}

/**
 * Why nothing is told of one figure: its rows stay at a source, it is no number over time, its amounts are of several
 * currencies that the plan does not convert, or its newest period is as its past.
 */
async function reasonForNothing(
  context: CalendarContext,
  { candidates, live }: AnalysisCatalogue,
  { insight, metric }: FindingFilter,
): Promise<Pick<FindingPage, 'declined' | 'newest'>> {
  const isAsked = (each: CandidateMetric): boolean =>
    metric === undefined ? insight !== undefined && each.insights.includes(insight) : each.metric === metric
  if (live.some(isAsked)) return { declined: 'Not analysed. This table is queried live; findings need an import.' }
  const one = candidates.find(isAsked)
  if (!one)
    return insight !== undefined || metric !== undefined
      ? { declined: 'Not analysed. Findings need a number with a date.' }
      : {}
  try {
    await reportingCurrency(context, one)
    const newest = await newestPeriod(context, one)
    return newest ? { newest } : {}
  } catch (error) {
    if (error instanceof ProductError && error.code === 'mixed_currency') return { declined: error.message }
    throw error
  }
}

/** What of the workspace's figures is wanted. */
type WantedFigures = Pick<FindingFilter, 'insight' | 'metric' | 'dataset'>

/** Datasets with wanted figures whose newest rows have not been looked at, or which were not asked for before. */
function staleDatasets(
  workspace: AnalysisCatalogue,
  looks: readonly AnalysisRun[],
  wanted: WantedFigures = {},
): CatalogueDataset[] {
  const { datasets, candidates } = workspace
  const last = new Map(looks.map((look) => [look.dataset, look]))
  return datasets.filter((home) => {
    const { id, dataVersion, rowCount } = home
    const own = candidates.filter((each) => isWanted(each, home, wanted))
    const look = last.get(id)
    if (rowCount === 0 || own.length === 0) return false
    if (look && !isOfBasis(look, workspace)) return true
    return look?.version !== dataVersion || own.some((each) => !look.subjects.includes(analysisVersion(each)))
  })
}

/** Whether rules let the same rows through as when it was looked. */
const isOfBasis = ({ subjects }: AnalysisRun, workspace: Pick<AnalysisCatalogue, 'basis'>): boolean =>
  basisMark(workspace).every((mark) => subjects.includes(mark))

const isWanted = (
  { dataset, insights, metric }: CandidateMetric,
  { id }: CatalogueDataset,
  filter: WantedFigures,
): boolean =>
  dataset === id &&
  (filter.dataset === undefined || filter.dataset === id) &&
  (filter.insight === undefined || insights.includes(filter.insight)) &&
  (filter.metric === undefined || metric === filter.metric)

/** New rows are followed by themselves; a figure that nobody has asked for before is looked at when it is asked about. */
function hasNewCandidates(
  home: CatalogueDataset,
  { candidates }: AnalysisCatalogue,
  { wanted, looks }: { wanted: FindingFilter; looks: readonly AnalysisRun[] },
): boolean {
  if (wanted.insight === undefined && wanted.metric === undefined) return false
  const known = looks.find(({ dataset }) => dataset === home.id)?.subjects ?? []
  return candidates.some((each) => isWanted(each, home, wanted) && !known.includes(analysisVersion(each)))
}

/** What is still asked for, named by what asks for it now; nothing of rows that rules may take away by now. */
function visibleFindings(
  kept: readonly StoredFinding[],
  { workspace, looks }: { workspace: AnalysisCatalogue; looks: readonly AnalysisRun[] },
  filter: FindingFilter,
): StoredFinding[] {
  const { candidates, find } = workspace
  const current = new Set(looks.flatMap((look) => (isOfBasis(look, workspace) ? [look.dataset] : [])))
  const live = new Map(candidates.map((each) => [each.key, each]))
  return kept.flatMap((finding) => {
    const now = live.get(finding.subject)
    if (!now || !find(now.dataset) || !current.has(now.dataset)) return []
    if (filter.dataset !== undefined && now.dataset !== filter.dataset) return []
    if (filter.insight !== undefined && !now.insights.includes(filter.insight)) return []
    if (filter.metric !== undefined && now.metric !== filter.metric) return []
    if (finding.hidden !== (filter.hidden === '1')) return []
    const { label, insights, metric, direction } = now
    return [{ ...finding, about: { ...finding.about, label, insights, metric, direction } }]
  })
}

/**
 * The page of one figure says first what is unusual in it. Its facts come after: whoever follows one there, from the list or
 * a mail, finds it. Who loses is told among what happened, there as everywhere.
 */
function unusualFirst(ranked: readonly StoredFinding[]): StoredFinding[] {
  const isLater = ({ kind, pinned }: StoredFinding): boolean =>
    !pinned && (kind === 'season' || (isFactKind(kind) && kind !== 'loss'))
  return [...ranked.filter((each) => !isLater(each)), ...ranked.filter(isLater)]
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

const isOfOne = ({ insight, metric }: FindingFilter): boolean => insight !== undefined || metric !== undefined

const toFinding = ({ key: _key, ...finding }: StoredFinding): Finding => finding

/** Looks at figures now: of one dataset, or of all. */
export async function refreshFindings(
  context: FindingWriteContext,
  { dataset }: { dataset?: string | undefined },
): Promise<FindingPage> {
  const { deps, scope } = context
  const workspace = await loadAnalysisCatalogue(deps, scope)
  if (dataset !== undefined && !workspace.find(dataset)) throw new ProductError('not_found')
  const homes = workspace.datasets.filter(({ id }) => dataset === undefined || id === dataset)
  const some = homes.filter(({ id }) => workspace.candidates.some((each) => each.dataset === id)).slice(0, DATASETS_MAX)
  for (const home of some) await analyzeDataset(context, workspace, home)
  const page = await listFindings(context, { hidden: '0', limit: 5, ...(dataset === undefined ? {} : { dataset }) })
  const audit = [auditEntryFactory('workspace')(context, { action: 'finding.refresh', id: scope.workspaceId })]
  await commit(deps, { change: [], audit, reply: context.reply(page) })
  return page
}

async function requireFinding({ deps, scope }: CalendarContext, id: string): Promise<StoredFinding> {
  const finding = await findingStore(deps.db, scope).get(id)
  if (!finding) throw new ProductError('not_found')
  return finding
}

type FindingMark =
  | { what: 'pinned' | 'hidden'; value: boolean; action: string }
  | { what: 'rating'; value: FindingRating | null; action: string }

/** What the asker thinks of a finding: their own, and kept when the finding goes and comes again. */
async function saveMark(
  context: FindingWriteContext,
  id: string,
  { what, value, action }: FindingMark,
): Promise<Finding> {
  const { deps, scope } = context
  const before = await requireFinding(context, id)
  const after = toFinding({ ...before, [what]: value })
  const now = deps.clock.now()
  const column = what === 'rating' ? what : (`${what}_at` as const)
  const stored = typeof value === 'boolean' ? (value ? now : null) : value
  await commit(deps, {
    change: [findingStore(deps.db, scope).mark(before.key, { what: column, value: stored, now })],
    audit: [auditEntryFactory('finding')(context, { action, id, before: before[what], after: value })],
    reply: context.reply(after),
  })
  return after
}

export const pinFinding = (context: FindingWriteContext, id: string, on: boolean): Promise<Finding> =>
  saveMark(context, id, { what: 'pinned', value: on, action: on ? 'finding.pin' : 'finding.unpin' })
export const hideFinding = (context: FindingWriteContext, id: string, on: boolean): Promise<Finding> =>
  saveMark(context, id, { what: 'hidden', value: on, action: on ? 'finding.hide' : 'finding.show' })
export const rateFinding = (context: FindingWriteContext, id: string, rating: FindingRating | null): Promise<Finding> =>
  saveMark(context, id, { what: 'rating', value: rating, action: 'finding.rate' })

/** @throws ProductError `not_found` for an insight that is deleted or another workspace's */
export async function insightFindings(
  context: CalendarContext,
  id: string,
  wanted: Omit<FindingFilter, 'insight'>,
): Promise<FindingPage> {
  if (!(await findingStore(context.deps.db, context.scope).insightExists(id))) throw new ProductError('not_found')
  return listFindings(context, { ...wanted, insight: id })
}

/** How long findings of rights of their own are kept when nobody asks by them. */
const UNREAD_RETENTION_MS = 30 * DAY_MS

/** Removes what was found in datasets that are gone for good, and by rights that nobody seems to have any more. */
export async function sweepFindings({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await purgeFindings(db, clock.now() - UNREAD_RETENTION_MS)
}

const ALL: FindingFilter = { hidden: '0', limit: Infinity }

/** Everything that was found and the asker may see, in no order. */
export interface FindingSet {
  findings: StoredFinding[]
  /** Rows have come since. */
  behind: boolean
  /** `none`: there is no figure over time. `tooLittle`: none has enough complete periods to test anything. */
  basis: 'none' | 'tooLittle' | 'tested'
}

export async function allFindings(context: CalendarContext): Promise<FindingSet> {
  const { workspace, looks } = await lookThrough(context, ALL)
  const stored = await findingStore(context.deps.db, context.scope).list()
  const findings = visibleFindings(stored, { workspace, looks }, ALL)
  const behind = staleDatasets(workspace, looks).length > 0
  const some = new Set(workspace.candidates.map(({ dataset }) => dataset))
  const isTested = findings.length > 0 || looks.some((look) => some.has(look.dataset) && hasTested(look.subjects))
  return { findings, behind, basis: isTested ? 'tested' : some.size === 0 ? 'none' : 'tooLittle' }
}

/** The same as it was last looked at: nothing is looked at for it. */
export async function storedFindings({ deps, scope }: ReadContext): Promise<StoredFinding[]> {
  const store = findingStore(deps.db, scope)
  const [workspace, looks, stored] = await Promise.all([loadAnalysisCatalogue(deps, scope), store.runs(), store.list()])
  return visibleFindings(stored, { workspace, looks }, ALL)
}
