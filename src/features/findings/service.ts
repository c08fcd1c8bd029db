import { ranked } from './ranking'
import { runOver } from './run'
import type { Looking } from './look'
import { findingStore, purgeFindings } from './store'
import type { Kept, Look } from './store'
import { lookedAt } from './subjects/asked'
import { workspaceOf } from './workspace'
import type { Workspace } from './workspace'
import { followedCurrency } from '../../access/rates/followed'
import { seesEverything } from '../../access/rights'
import type { Scope } from '../../access/scope'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { cursorOf, positionOf } from '../../http/cursor'
import type { Reply } from '../../http/idempotency'
import { ProductError } from '../../shared/errors'
import type { Finding, FindingPage, ListFindingsQuery, Rating } from '../../shared/finding-feed'
import type { CatalogueDataset } from '../../warehouse/contract'

export interface Ask extends Looking {
  reply: Reply
}
/** What of the workspace's findings is wanted. */
type Wanted = Pick<ListFindingsQuery, 'insight' | 'metric' | 'dataset' | 'hidden' | 'cursor' | 'limit'>

/** Datasets looked at within one call. */
const DATASETS_MAX = 10

/** Findings that the asker may see, best first. Whoever has rights of their own has figures looked at when they ask. */
export async function listFindings(ask: Looking, wanted: Wanted): Promise<FindingPage> {
  const { deps, scope } = ask
  const workspace = await workspaceOf(deps, scope)
  const store = findingStore(deps.db, scope)
  const before = await store.looks()
  const late = behindOf(workspace, before).filter((each) => isWanted(each, workspace, wanted))
  const now = seesEverything(scope) ? late.filter((each) => isNew(each, workspace, { wanted, looks: before })) : late
  for (const home of now.slice(0, DATASETS_MAX)) await runOver(ask, workspace, home)
  const looks = now.length > 0 ? await store.looks() : before
  const kept = visible(await store.list(), workspace, wanted)
  const times = looks.flatMap(({ at }) => at ?? [])
  return {
    ...paged(ranked(kept, deps.clock.now()), wanted),
    lookedAt: times.length === 0 ? null : new Date(Math.max(...times)).toISOString(),
    behind: behindOf(workspace, looks).some((each) => isWanted(each, workspace, wanted)),
    ...(kept.length === 0 ? await declinedFor(ask, workspace, wanted) : {}),
  }
}

/** Why one figure cannot be looked at: amounts of several currencies that the plan does not convert. */
async function declinedFor(
  ask: Looking,
  { asked }: Workspace,
  { insight, metric }: Wanted,
): Promise<Pick<FindingPage, 'declined'>> {
  const one = asked.find((each) =>
    metric === undefined ? insight !== undefined && each.insights.includes(insight) : each.metric === metric,
  )
  try {
    if (one) await followedCurrency(ask, one)
    return {}
  } catch (error) {
    if (error instanceof ProductError && error.code === 'mixed_currency') return { declined: error.message }
    throw error
  }
}

/** Datasets with figures to look at whose newest rows, or newest questions, have not been looked at. */
function behindOf({ datasets, asked }: Workspace, looks: readonly Look[]): CatalogueDataset[] {
  const last = new Map(looks.map((look) => [look.dataset, look]))
  return datasets.filter(({ id, dataVersion, rowCount }) => {
    const own = asked.filter(({ dataset }) => dataset === id)
    const look = last.get(id)
    if (rowCount === 0 || own.length === 0) return false
    return look?.version !== dataVersion || own.some((each) => !look.subjects.includes(lookedAt(each)))
  })
}

function isWanted({ id }: CatalogueDataset, { asked }: Workspace, { insight, metric, dataset }: Wanted): boolean {
  if (dataset !== undefined && dataset !== id) return false
  return asked.some(
    (each) =>
      each.dataset === id &&
      (insight === undefined || each.insights.includes(insight)) &&
      (metric === undefined || each.metric === metric),
  )
}

/** New rows are followed by themselves; a figure that nobody has asked for before is looked at when it is asked about. */
function isNew(
  { id }: CatalogueDataset,
  { asked }: Workspace,
  { wanted, looks }: { wanted: Wanted; looks: readonly Look[] },
): boolean {
  if (wanted.insight === undefined && wanted.metric === undefined) return false
  const known = looks.find(({ dataset }) => dataset === id)?.subjects ?? []
  return asked.some(
    (each) =>
      each.dataset === id &&
      !known.includes(lookedAt(each)) &&
      (wanted.insight === undefined || each.insights.includes(wanted.insight)) &&
      (wanted.metric === undefined || each.metric === wanted.metric),
  )
}

/** What is still asked for, named by what asks for it now. */
export function visible(kept: readonly Kept[], { asked, find }: Workspace, wanted: Wanted): Kept[] {
  const live = new Map(asked.map((each) => [each.key, each]))
  return kept.flatMap((finding) => {
    const now = live.get(finding.subject)
    if (!now || !find(now.dataset)) return []
    if (wanted.dataset !== undefined && now.dataset !== wanted.dataset) return []
    if (wanted.insight !== undefined && !now.insights.includes(wanted.insight)) return []
    if (wanted.metric !== undefined && now.metric !== wanted.metric) return []
    if (finding.hidden !== (wanted.hidden === '1')) return []
    const { label, insights, metric, direction } = now
    return [{ ...finding, about: { ...finding.about, label, insights, metric, direction } }]
  })
}

/** A page of a ranking: a cursor names the last one shown; when it is gone, the place where it stood. */
function paged(kept: readonly Kept[], { cursor, limit }: Wanted): { items: Finding[]; nextCursor: string | null } {
  const after = positionOf(cursor, 'finding')
  const stood = after ? kept.findIndex(({ id }) => id === after.id) : -1
  const start = after ? (stood === -1 ? after.at : stood + 1) : 0
  const page = kept.slice(start, start + limit)
  const last = page.at(-1)
  const nextCursor = last && start + limit < kept.length ? cursorOf({ at: start + limit - 1, id: last.id }) : null
  return { items: page.map(findingOf), nextCursor }
}

export const findingOf = ({ key: _key, ...finding }: Kept): Finding => finding

/** Looks at figures now: of one dataset, or of all. */
export async function refreshFindings(ask: Ask, { dataset }: { dataset?: string | undefined }): Promise<FindingPage> {
  const { deps, scope } = ask
  const workspace = await workspaceOf(deps, scope)
  if (dataset !== undefined && !workspace.find(dataset)) throw new ProductError('not_found')
  const homes = workspace.datasets.filter(({ id }) => dataset === undefined || id === dataset)
  const some = homes.filter(({ id }) => workspace.asked.some((each) => each.dataset === id)).slice(0, DATASETS_MAX)
  for (const home of some) await runOver(ask, workspace, home)
  const page = await listFindings(ask, { hidden: '0', limit: 5, ...(dataset === undefined ? {} : { dataset }) })
  const { workspaceId, actorId } = scope
  const entry = { workspaceId, actorId, action: 'finding.refresh', entity: 'workspace', entityId: workspaceId }
  await commit(deps, { change: [], audit: [entry], reply: ask.reply(page) })
  return page
}

async function findingFor({ deps, scope }: Looking, id: string): Promise<Kept> {
  const finding = await findingStore(deps.db, scope).get(id)
  if (!finding) throw new ProductError('not_found')
  return finding
}

type Mark =
  | { what: 'pinned' | 'hidden'; value: boolean; action: string }
  | { what: 'rating'; value: Rating | null; action: string }

/** What the asker thinks of a finding: their own, and kept when the finding goes and comes again. */
async function marked(ask: Ask, id: string, { what, value, action }: Mark): Promise<Finding> {
  const { deps, scope } = ask
  const before = await findingFor(ask, id)
  const after = findingOf({ ...before, [what]: value })
  const now = deps.clock.now()
  const column = what === 'rating' ? what : (`${what}_at` as const)
  const stored = typeof value === 'boolean' ? (value ? now : null) : value
  const { workspaceId, actorId } = scope
  await commit(deps, {
    change: [findingStore(deps.db, scope).mark(before.key, { what: column, value: stored, now })],
    audit: [{ workspaceId, actorId, action, entity: 'finding', entityId: id, before: before[what], after: value }],
    reply: ask.reply(after),
  })
  return after
}

export const pinFinding = (ask: Ask, id: string, on: boolean): Promise<Finding> =>
  marked(ask, id, { what: 'pinned', value: on, action: on ? 'finding.pin' : 'finding.unpin' })
export const hideFinding = (ask: Ask, id: string, on: boolean): Promise<Finding> =>
  marked(ask, id, { what: 'hidden', value: on, action: on ? 'finding.hide' : 'finding.show' })
export const rateFinding = (ask: Ask, id: string, rating: Rating | null): Promise<Finding> =>
  marked(ask, id, { what: 'rating', value: rating, action: 'finding.rate' })

/** @throws ProductError `not_found` for an insight that is deleted or another workspace's */
export async function insightFindings(ask: Looking, id: string, wanted: Omit<Wanted, 'insight'>): Promise<FindingPage> {
  await refuseUnknownInsight(ask, id)
  return listFindings(ask, { ...wanted, insight: id })
}

async function refuseUnknownInsight({ deps, scope }: { deps: Pick<Deps, 'db'>; scope: Scope }, id: string) {
  const found = await deps.db.d1
    .prepare('SELECT 1 FROM insights WHERE workspace_id = ? AND id = ? AND deleted_at IS NULL')
    .bind(scope.workspaceId, id)
    .first()
  if (!found) throw new ProductError('not_found')
}

/** How long findings of rights of their own are kept when nobody asks by them. */
const UNASKED_KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** Removes what was found in datasets that are gone for good, and by rights that nobody seems to have any more. */
export async function sweepFindings({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await db.d1.batch(purgeFindings(db, clock.now() - UNASKED_KEPT_MS))
}
