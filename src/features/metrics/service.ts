import type { z } from 'zod'
import { formulaText, measureOrThrow, formulaNamesFor, validateDependents, validateMetric } from './validation'
import type { ValidatedPlan } from '../../semantic/query-service'
import { metricStore } from './store'
import type { StoredMetric } from './store'
import { definitionFingerprint } from '../../semantic/metric-definitions'
import type { MetricDefinitions } from '../../semantic/metric-definitions'
import { auditEntryFactory, commit, rethrowNameTaken } from '../../db/commit'
import type { RequestContext } from '../../http/request-context'
import { toIso } from '../../lib/iso'
import { ProductError } from '../../shared/errors'
import { parseFormula } from '../../shared/formula/formula'
import { METRICS_MAX } from '../../shared/metrics'
import type { Metric, MetricContent, MetricDependent, FormulaReading, updateMetricSchema } from '../../shared/metrics'
import type { ListPage } from '../../shared/field-schemas'
import { readMetricDefinitions } from '../../semantic/metric-definition-store'
import type { ReadContext } from '../../deps'

/** So many dependents are named. */
const DEPENDENTS_SHOWN_MAX = 100

/** Who vouches for a metric vouches for what it means: the figure, not its name. */
const metricHash = (
  { measure, filters, dataset, time, currencyMode }: Omit<Metric, 'verified'>,
  definitions: MetricDefinitions,
): string => definitionFingerprint({ measure, filters, dataset, time, currencyMode }, definitions)

function toMetric({ verifiedHash, ...metric }: StoredMetric, definitions: MetricDefinitions): Metric {
  const isSame = metric.verified !== null && verifiedHash === metricHash(metric, definitions)
  return { ...metric, verified: isSame ? metric.verified : null }
}

/** All of them, by name. */
export async function listMetrics(
  { deps, scope }: ReadContext,
  dataset: string | undefined,
): Promise<ListPage<Metric>> {
  const all = await metricStore(deps.db, scope).list(dataset)
  const measures = all.map(({ measure }) => measure)
  const definitions = await readMetricDefinitions(deps, scope, measures)
  return { items: all.map((metric) => toMetric(metric, definitions)), nextCursor: null }
}

async function requireMetric({ deps, scope }: ReadContext, id: string): Promise<StoredMetric> {
  const metric = await metricStore(deps.db, scope).get(id)
  if (!metric) throw new ProductError('not_found')
  return metric
}

const definitionsOf = (
  { deps, scope }: ReadContext,
  { measure }: Pick<Metric, 'measure'>,
): Promise<MetricDefinitions> => readMetricDefinitions(deps, scope, [measure])

async function currentMetric(context: ReadContext, id: string): Promise<Metric> {
  const metric = await requireMetric(context, id)
  return toMetric(metric, await definitionsOf(context, metric))
}

/** With the formula as its names stand today. */
export async function getMetric(context: ReadContext, id: string): Promise<Metric> {
  const metric = await currentMetric(context, id)
  const names = await formulaNamesOrNull(context, metric.dataset)
  return names ? { ...metric, formula: formulaText(metric.measure, names, metric.formula) } : metric
}

/** Null when the dataset is gone: the metric can still be looked at and deleted. */
async function formulaNamesOrNull({ deps, scope }: ReadContext, dataset: string) {
  const metrics = await metricStore(deps.db, scope).list()
  try {
    return await formulaNamesFor(deps, scope, { dataset, metrics })
  } catch (error) {
    if (error instanceof ProductError && error.code === 'not_found') return null
    throw error
  }
}

export async function createMetric(context: RequestContext, input: MetricContent): Promise<Metric> {
  const { deps, scope, actor } = context
  const id = deps.ids.next('metric')
  const { content, checked } = await resolveContent(context, { id, input })
  const now = toIso(deps.clock.now())
  const metric: Metric = {
    ...content,
    id,
    verified: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
    ownerId: actor.userId,
    ownerName: actor.name,
  }
  const store = metricStore(deps.db, scope)
  await rethrowNameTaken(
    'metric_names.',
    commit(deps, {
      change: [store.insert(metric), ...store.saveNames(metric), ...store.saveFields(id, checked)],
      audit: [auditOf(context, { action: 'metric.create', id, after: metric })],
      reply: context.reply(metric),
      expect: {
        onMissed: async () =>
          new ProductError('limit_reached', { limit: 'metrics', used: await store.count(), max: METRICS_MAX }),
      },
    }),
  )
  return metric
}

/** What it measures, and whether that can be asked. */
async function resolveContent(
  { deps, scope }: ReadContext,
  { id, input }: { id: string; input: MetricContent },
): Promise<{ content: MetricContent & Pick<Metric, 'measure'>; checked: ValidatedPlan }> {
  const metrics = await metricStore(deps.db, scope).list()
  const names = await formulaNamesFor(deps, scope, { dataset: input.dataset, metrics })
  const measure = measureOrThrow(parseFormula(input.formula, names))
  const content = { ...input, measure, formula: formulaText(measure, names, input.formula) }
  validateDependents(metrics, { id, ...content })
  return { content, checked: await validateMetric(deps, scope, { id, content }) }
}

/** @throws ProductError `version_conflict` with the stored metric as `current`, `name_taken`, `invalid_input` for a circle */
export async function updateMetric(
  context: RequestContext,
  change: { id: string; input: z.output<typeof updateMetricSchema> },
): Promise<Metric> {
  const { deps, scope } = context
  const { id } = change
  const { version, ...input } = change.input
  const before = await currentMetric(context, id)
  if (before.version !== version) throw new ProductError('version_conflict', { current: before })
  const { content, checked } = await resolveContent(context, { id, input })
  const updatedAt = toIso(deps.clock.now())
  const next: Metric = { ...before, ...content, version: version + 1, updatedAt }
  const definitions = await readMetricDefinitions(deps, scope, [before.measure, next.measure])
  if (metricHash(next, definitions) !== metricHash(before, definitions)) next.verified = null
  const store = metricStore(deps.db, scope)
  await rethrowNameTaken(
    'metric_names.',
    commit(deps, {
      change: [store.update(next), ...store.saveNames(next), ...store.saveFields(id, checked)],
      audit: [auditOf(context, { action: 'metric.update', id, before, after: next })],
      reply: context.reply(next),
      expect: { onMissed: () => versionConflict(context, id) },
    }),
  )
  return next
}

const versionConflict = async (context: ReadContext, id: string): Promise<ProductError> =>
  new ProductError('version_conflict', { current: await currentMetric(context, id) })

export async function dependentsOf({ deps, scope }: ReadContext, id: string): Promise<MetricDependent[]> {
  await requireMetric({ deps, scope }, id)
  return metricStore(deps.db, scope).dependents(id, DEPENDENTS_SHOWN_MAX)
}

/** For good. With `force` also while it is used: what uses it says then that the metric is gone. */
export async function deleteMetric(
  context: RequestContext,
  at: { id: string; version: number; force: boolean },
): Promise<Metric> {
  const { deps, scope } = context
  const before = await currentMetric(context, at.id)
  if (before.version !== at.version) throw new ProductError('version_conflict', { current: before })
  const store = metricStore(deps.db, scope)
  const dependents = at.force ? [] : await store.dependents(at.id, DEPENDENTS_SHOWN_MAX)
  if (dependents.length > 0) throw new ProductError('in_use', { dependents })
  await commit(deps, {
    change: store.remove(at.id, at.version),
    audit: [auditOf(context, { action: 'metric.delete', id: at.id, before })],
    reply: context.reply(before),
    expect: { onMissed: () => versionConflict(context, at.id) },
  })
  return before
}

/** Whether the asker vouches for what the metric means now: for it, and for all that it names. */
async function setVerified(
  context: RequestContext,
  at: { id: string; version: number },
  isVerified: boolean,
): Promise<Metric> {
  const { deps, scope, actor } = context
  const before = await currentMetric(context, at.id)
  if (before.version !== at.version) throw new ProductError('version_conflict', { current: before })
  const now = deps.clock.now()
  const store = metricStore(deps.db, scope)
  const statement = isVerified
    ? store.verify(at.id, { version: at.version, hash: metricHash(before, await definitionsOf(context, before)), now })
    : store.unverify(at.id, at.version)
  const verified = isVerified ? { by: actor.userId, byName: actor.name, at: toIso(now) } : null
  const after: Metric = { ...before, verified }
  const action = isVerified ? 'metric.verify' : 'metric.unverify'
  await commit(deps, {
    change: [statement],
    audit: [auditOf(context, { action, id: at.id, before, after })],
    reply: context.reply(after),
    expect: { onMissed: () => versionConflict(context, at.id) },
  })
  return after
}
export const verifyMetric = (context: RequestContext, at: { id: string; version: number }): Promise<Metric> =>
  setVerified(context, at, true)
export const unverifyMetric = (context: RequestContext, at: { id: string; version: number }): Promise<Metric> =>
  setVerified(context, at, false)

/** What a formula measures, or every mistake in it; as a metric of this id, which it may not name. */
export async function readFormula(
  { deps, scope }: ReadContext,
  input: { dataset: string; formula: string; id?: string | undefined },
): Promise<FormulaReading> {
  const metrics = await metricStore(deps.db, scope).list()
  const names = await formulaNamesFor(deps, scope, {
    dataset: input.dataset,
    metrics: metrics.filter(({ id }) => id !== input.id),
  })
  const parsed = parseFormula(input.formula, names)
  return parsed.ok ? { ...parsed, formula: formulaText(parsed.measure, names, input.formula) } : parsed
}

const auditOf = auditEntryFactory('metric')
