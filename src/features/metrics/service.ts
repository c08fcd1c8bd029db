import { formulaOf, measureOf, namesFor, read } from './formula'
import { metricStore } from './store'
import type { StoredMetric } from './store'
import { checkChains, checkMetric } from './check'
import type { CheckedMetric } from './check'
import { meaningHash, readDefinitions } from '../../access/metric-definitions'
import type { Definitions } from '../../access/metric-definitions'
import type { Actor } from '../../access/actor'
import type { Scope } from '../../access/scope'
import { auditOfKind } from '../../db/audit-of'
import { commit } from '../../db/commit'
import type { StoredReply } from '../../db/commit'
import { orNameTaken } from '../../db/name-taken'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import { METRICS_MAX } from '../../shared/metrics'
import type { Metric, MetricContent, MetricDependent, ReadFormula, updateMetricSchema } from '../../shared/metrics'
import type { Page } from '../../shared/names'
import type { z } from 'zod'

export interface Ask {
  deps: Deps
  scope: Scope
  actor: Pick<Actor, 'userId' | 'name'>
  reply: (body: Metric) => StoredReply | null
}
type Looking = Pick<Ask, 'deps' | 'scope'>
/** So many dependents are named. */
const NAMED_MAX = 100

/** Who vouches for a metric vouches for what it means: the figure, not its name. */
const hashOf = (
  { measure, filters, dataset, time, currencyMode }: Omit<Metric, 'verified'>,
  definitions: Definitions,
): string => meaningHash({ measure, filters, dataset, time, currencyMode }, definitions)

function shown({ verifiedHash, ...metric }: StoredMetric, definitions: Definitions): Metric {
  const isSame = metric.verified !== null && verifiedHash === hashOf(metric, definitions)
  return { ...metric, verified: isSame ? metric.verified : null }
}

/** All of them, by name. */
export async function listMetrics({ deps, scope }: Looking, dataset: string | undefined): Promise<Page<Metric>> {
  const all = await metricStore(deps.db, scope).list(dataset)
  const measures = all.map(({ measure }) => measure)
  const definitions = await readDefinitions(deps, scope, measures)
  return { items: all.map((metric) => shown(metric, definitions)), nextCursor: null }
}

async function storedMetric({ deps, scope }: Looking, id: string): Promise<StoredMetric> {
  const metric = await metricStore(deps.db, scope).get(id)
  if (!metric) throw new ProductError('not_found')
  return metric
}

const definitionsOf = ({ deps, scope }: Looking, { measure }: Pick<Metric, 'measure'>): Promise<Definitions> =>
  readDefinitions(deps, scope, [measure])

async function currentMetric(ask: Looking, id: string): Promise<Metric> {
  const metric = await storedMetric(ask, id)
  return shown(metric, await definitionsOf(ask, metric))
}

/** With the formula as its names stand today. */
export async function getMetric(ask: Looking, id: string): Promise<Metric> {
  const metric = await currentMetric(ask, id)
  const names = await namesOrNone(ask, metric.dataset)
  return names ? { ...metric, formula: formulaOf(metric.measure, names, metric.formula) } : metric
}

/** Null when the dataset is gone: the metric can still be looked at and deleted. */
async function namesOrNone({ deps, scope }: Looking, dataset: string) {
  const metrics = await metricStore(deps.db, scope).list()
  try {
    return await namesFor(deps, scope, { dataset, metrics })
  } catch (error) {
    if (error instanceof ProductError && error.code === 'not_found') return null
    throw error
  }
}

export async function createMetric(ask: Ask, input: MetricContent): Promise<Metric> {
  const { deps, scope, actor } = ask
  const id = deps.ids.next('metric')
  const { content, checked } = await understood(ask, { id, input })
  const now = new Date(deps.clock.now()).toISOString()
  const metric: Metric = {
    ...{ ...content, id, verified: null, version: 1, createdAt: now, updatedAt: now },
    ...{ ownerId: actor.userId, ownerName: actor.name },
  }
  const store = metricStore(deps.db, scope)
  const follow = [...store.putNames(metric), ...store.putFields(id, checked.plan, checked.along)]
  await orNameTaken(
    'metric_names.',
    commit(deps, {
      change: [store.insert(metric), ...follow],
      audit: [auditOf(ask, { action: 'metric.create', id, after: metric })],
      reply: ask.reply(metric),
      expect: {
        onMissed: async () =>
          new ProductError('limit_reached', { limit: 'metrics', used: await store.count(), max: METRICS_MAX }),
      },
    }),
  )
  return metric
}

/** What it measures, and whether that can be asked. */
async function understood(
  { deps, scope }: Looking,
  { id, input }: { id: string; input: MetricContent },
): Promise<{ content: MetricContent & Pick<Metric, 'measure'>; checked: CheckedMetric }> {
  const metrics = await metricStore(deps.db, scope).list()
  const names = await namesFor(deps, scope, { dataset: input.dataset, metrics })
  const measure = measureOf(read(input.formula, names))
  const content = { ...input, measure, formula: formulaOf(measure, names, input.formula) }
  checkChains(metrics, { id, ...content })
  return { content, checked: await checkMetric(deps, scope, { id, content }) }
}

/** @throws ProductError `version_conflict` with the stored metric as `current`, `name_taken`, `invalid_input` for a circle */
export async function updateMetric(
  ask: Ask,
  change: { id: string; input: z.output<typeof updateMetricSchema> },
): Promise<Metric> {
  const { deps, scope } = ask
  const { id } = change
  const { version, ...input } = change.input
  const before = await currentMetric(ask, id)
  if (before.version !== version) throw new ProductError('version_conflict', { current: before })
  const { content, checked } = await understood(ask, { id, input })
  const updatedAt = new Date(deps.clock.now()).toISOString()
  const next: Metric = { ...before, ...content, version: version + 1, updatedAt }
  const definitions = await readDefinitions(deps, scope, [before.measure, next.measure])
  if (hashOf(next, definitions) !== hashOf(before, definitions)) next.verified = null
  const store = metricStore(deps.db, scope)
  await orNameTaken(
    'metric_names.',
    commit(deps, {
      change: [store.update(next), ...store.putNames(next), ...store.putFields(id, checked.plan, checked.along)],
      audit: [auditOf(ask, { action: 'metric.update', id, before, after: next })],
      reply: ask.reply(next),
      expect: { onMissed: () => conflict(ask, id) },
    }),
  )
  return next
}

const conflict = async (ask: Looking, id: string): Promise<ProductError> =>
  new ProductError('version_conflict', { current: await currentMetric(ask, id) })

export async function dependentsOf({ deps, scope }: Looking, id: string): Promise<MetricDependent[]> {
  await storedMetric({ deps, scope }, id)
  return metricStore(deps.db, scope).dependents(id, NAMED_MAX)
}

/** For good. With `force` also while it is used: what uses it says then that the metric is gone. */
export async function deleteMetric(ask: Ask, at: { id: string; version: number; force: boolean }): Promise<Metric> {
  const { deps, scope } = ask
  const before = await currentMetric(ask, at.id)
  if (before.version !== at.version) throw new ProductError('version_conflict', { current: before })
  const store = metricStore(deps.db, scope)
  const dependents = at.force ? [] : await store.dependents(at.id, NAMED_MAX)
  if (dependents.length > 0) throw new ProductError('in_use', { dependents })
  await commit(deps, {
    change: store.remove(at.id, at.version),
    audit: [auditOf(ask, { action: 'metric.delete', id: at.id, before })],
    reply: ask.reply(before),
    expect: { onMissed: () => conflict(ask, at.id) },
  })
  return before
}

/** The asker vouches for what the metric means now: for it, and for all that it names. */
export async function verifyMetric(ask: Ask, at: { id: string; version: number }): Promise<Metric> {
  const { deps, scope, actor } = ask
  const before = await currentMetric(ask, at.id)
  if (before.version !== at.version) throw new ProductError('version_conflict', { current: before })
  const now = deps.clock.now()
  const hash = hashOf(before, await definitionsOf(ask, before))
  const after: Metric = {
    ...before,
    verified: { by: actor.userId, byName: actor.name, at: new Date(now).toISOString() },
  }
  await commit(deps, {
    change: [metricStore(deps.db, scope).verify(at.id, { version: at.version, hash, now })],
    audit: [auditOf(ask, { action: 'metric.verify', id: at.id, before, after })],
    reply: ask.reply(after),
    expect: { onMissed: () => conflict(ask, at.id) },
  })
  return after
}

export async function unverifyMetric(ask: Ask, at: { id: string; version: number }): Promise<Metric> {
  const { deps, scope } = ask
  const before = await currentMetric(ask, at.id)
  if (before.version !== at.version) throw new ProductError('version_conflict', { current: before })
  const after: Metric = { ...before, verified: null }
  await commit(deps, {
    change: [metricStore(deps.db, scope).unverify(at.id, at.version)],
    audit: [auditOf(ask, { action: 'metric.unverify', id: at.id, before, after })],
    reply: ask.reply(after),
    expect: { onMissed: () => conflict(ask, at.id) },
  })
  return after
}

/** What a formula measures, or every mistake in it; as a metric of this id, which it may not name. */
export async function readFormula(
  { deps, scope }: Looking,
  input: { dataset: string; formula: string; id?: string | undefined },
): Promise<ReadFormula> {
  const metrics = await metricStore(deps.db, scope).list()
  const names = await namesFor(deps, scope, {
    dataset: input.dataset,
    metrics: metrics.filter(({ id }) => id !== input.id),
  })
  const parsed = read(input.formula, names)
  return parsed.ok ? { ...parsed, formula: formulaOf(parsed.measure, names, input.formula) } : parsed
}

const auditOf = auditOfKind('metric')
