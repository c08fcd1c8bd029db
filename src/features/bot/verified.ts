import { verifiedStore, type StoredVerified } from './knowledge-store'
import { namesRuledValues, seenPlan, verifiedHash, type SeenCatalogue } from './verified-plans'
import { readNamedThings } from './vocabulary-store'
import { auditEntryFactory, commit, rethrowNameTaken } from '../../db/commit'
import type { RequestContext } from '../../http/request-context'
import { toIso } from '../../lib/iso'
import { readMetricDefinitions } from '../../semantic/metric-definition-store'
import type { MetricDefinitions } from '../../semantic/metric-definitions'
import { validatePlan } from '../../semantic/query-service'
import { VERIFIED_ANSWERS_MAX, type VerifiedAnswer, type VerifiedContent } from '../../shared/bot/knowledge'
import { ProductError } from '../../shared/errors'
import type { Measure, QueryPlan } from '../../shared/query/plan'
import type { ReadContext } from '../../deps'

const auditOf = auditEntryFactory('verifiedAnswer')

interface Known extends SeenCatalogue {
  definitions: MetricDefinitions
}
async function known({ deps, scope }: ReadContext, measures: readonly Measure[]): Promise<Known> {
  const [datasets, { metrics }, definitions] = await Promise.all([
    deps.warehouse(scope).datasets(),
    readNamedThings(deps.db, scope),
    readMetricDefinitions(deps, scope, measures),
  ])
  return { datasets, metrics: new Set(metrics.map(({ id }) => id)), definitions }
}

const toShown = ({ hash, ...answer }: StoredVerified, at: Known): VerifiedAnswer => ({
  ...answer,
  stale: verifiedHash(answer.plan, at) !== hash,
})

const isSeen = (plan: QueryPlan, at: Known, { scope }: ReadContext): boolean =>
  seenPlan(plan, at, at.definitions) && !namesRuledValues(plan, scope)

/** Those whose columns, metrics and values exist for who asks. */
export async function listVerified(context: ReadContext): Promise<VerifiedAnswer[]> {
  const all = await verifiedStore(context.deps.db, context.scope).list()
  const at = await known(
    context,
    all.flatMap(({ plan }) => plan.measures),
  )
  return all.filter(({ plan }) => isSeen(plan, at, context)).map((answer) => toShown(answer, at))
}

/** @throws ProductError `not_found` */
async function requireVerified(context: ReadContext, id: string): Promise<StoredVerified> {
  const found = await verifiedStore(context.deps.db, context.scope).get(id)
  if (!found) throw new ProductError('not_found')
  const at = await known(context, found.plan.measures)
  if (!isSeen(found.plan, at, context)) throw new ProductError('not_found')
  return found
}

/**
 * Binds a wording to a plan: whoever asks so, or alike, is answered by it from now on.
 * @throws ProductError `name_taken` for a wording that is bound already, `limit_reached`, and what the plan is refused for
 */
export async function verifyAnswer(context: RequestContext, input: VerifiedContent): Promise<VerifiedAnswer> {
  const { deps, scope } = context
  const { answer, at } = await toStored(context, input, { id: deps.ids.next('verifiedAnswer'), version: 1 })
  const made = toShown(answer, at)
  await rethrowNameTaken(
    'bot_verified.workspace_id',
    commit(deps, {
      change: [verifiedStore(deps.db, scope).insert(answer, deps.clock.now())],
      audit: [auditOf(context, { action: 'verifiedAnswer.create', id: answer.id, after: made })],
      reply: context.reply(made),
      expect: {
        onMissed: () =>
          new ProductError(
            'limit_reached',
            { limit: 'verifiedAnswers', used: VERIFIED_ANSWERS_MAX, max: VERIFIED_ANSWERS_MAX },
            `A workspace holds up to ${VERIFIED_ANSWERS_MAX} verified answers. Delete some first.`,
          ),
      },
    }),
  )
  return made
}

async function toStored(
  context: RequestContext,
  input: VerifiedContent,
  of: { id: string; version: number },
): Promise<{ answer: StoredVerified; at: Known }> {
  const { deps, scope, actor } = context
  await validatePlan(deps, scope, input.plan)
  const at = await known(context, input.plan.measures)
  const { shown, ...content } = input
  const answer: StoredVerified = {
    ...{ ...content, ...of, ...(shown ? { shown } : {}), hash: verifiedHash(input.plan, at) },
    ...{ verifiedByName: actor.name, verifiedAt: toIso(deps.clock.now()) },
  }
  return { answer, at }
}

/** Vouches again, for this wording and plan. @throws ProductError `version_conflict`, `name_taken` */
export async function updateVerified(
  context: RequestContext,
  { id, input }: { id: string; input: VerifiedContent & { version: number } },
): Promise<VerifiedAnswer> {
  const { deps, scope } = context
  const before = await requireVerified(context, id)
  const { version, ...content } = input
  const { answer, at } = await toStored(context, content, { id, version: version + 1 })
  const saved = toShown(answer, at)
  await rethrowNameTaken(
    'bot_verified.workspace_id',
    commit(deps, {
      change: [verifiedStore(deps.db, scope).update(answer, { version, now: deps.clock.now() })],
      audit: [auditOf(context, { action: 'verifiedAnswer.update', id, before, after: saved })],
      reply: context.reply(saved),
      expect: { onMissed: () => versionConflict(context, id) },
    }),
  )
  return saved
}

export async function deleteVerified(
  context: RequestContext,
  { id, version }: { id: string; version: number },
): Promise<VerifiedAnswer> {
  const before = await requireVerified(context, id)
  const gone = toShown(before, await known(context, before.plan.measures))
  await commit(context.deps, {
    change: [verifiedStore(context.deps.db, context.scope).remove(id, version)],
    audit: [auditOf(context, { action: 'verifiedAnswer.delete', id, before: gone })],
    reply: context.reply(gone),
    expect: { onMissed: () => versionConflict(context, id) },
  })
  return gone
}

async function versionConflict(context: ReadContext, id: string): Promise<ProductError> {
  const current = await requireVerified(context, id)
  return new ProductError('version_conflict', {
    current: toShown(current, await known(context, current.plan.measures)),
  })
}
