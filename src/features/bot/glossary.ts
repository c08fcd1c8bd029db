import { termStore } from './knowledge-store'
import { namesRuledValues, seenPlan } from './verified-plans'
import { readNamedThings } from './vocabulary-store'
import { auditEntryFactory, commit, rethrowNameTaken } from '../../db/commit'
import type { RequestContext } from '../../http/request-context'
import { toIso } from '../../lib/iso'
import { validatePlan } from '../../semantic/query-service'
import { TERMS_MAX, type BotTerm, type TermContent } from '../../shared/bot/knowledge'
import { ProductError } from '../../shared/errors'
import { measuredDataset } from '../../shared/query/plan-fields'
import type { QueryPlan } from '../../shared/query/plan'
import type { ReadContext } from '../../deps'

const auditOf = auditEntryFactory('botTerm')

/** What a term stands for as a plan; null: only words. */
function planOf({ measure, filters }: Pick<TermContent, 'measure' | 'filters'>): QueryPlan | null {
  if (measure === null && filters.length === 0) return null
  const plan: QueryPlan = { v: 3, kind: 'aggregate', measures: measure ? [measure] : [], dimensions: [], filters }
  const dataset =
    measuredDataset(plan) ?? filters.flatMap((filter) => ('field' in filter ? [filter.field.dataset] : []))[0]
  const counted: QueryPlan['measures'] = measure ? [measure] : [{ kind: 'column', agg: 'count', dataset }]
  return { ...plan, measures: counted, ...(dataset === undefined ? {} : { dataset }) }
}

/** By word: those that name nothing which does not exist for who asks. */
export async function listTerms(context: ReadContext): Promise<BotTerm[]> {
  const { deps, scope } = context
  const [all, datasets, { metrics }] = await Promise.all([
    termStore(deps.db, scope).list(),
    deps.warehouse(scope).datasets(),
    readNamedThings(deps.db, scope),
  ])
  const seen = { datasets, metrics: new Set(metrics.map(({ id }) => id)) }
  return all.filter((term) => {
    const plan = planOf(term)
    return plan === null || (seenPlan(plan, seen, new Map()) && !namesRuledValues(plan, scope))
  })
}

async function requireTerm(context: ReadContext, id: string): Promise<BotTerm> {
  const found = (await listTerms(context)).find((term) => term.id === id)
  if (!found) throw new ProductError('not_found')
  return found
}

/** @throws ProductError what a measure or conditions are refused for */
async function assertMeaning({ deps, scope }: ReadContext, input: TermContent): Promise<void> {
  const plan = planOf(input)
  if (plan) await validatePlan(deps, scope, plan)
}

/** @throws ProductError `name_taken`, `limit_reached` */
export async function createTerm(context: RequestContext, input: TermContent): Promise<BotTerm> {
  const { deps, scope, actor } = context
  await assertMeaning(context, input)
  const now = deps.clock.now()
  const made: BotTerm = {
    ...{ ...input, id: deps.ids.next('botTerm'), updatedByName: actor.name, version: 1, updatedAt: toIso(now) },
  }
  await rethrowNameTaken(
    'bot_terms.workspace_id',
    commit(deps, {
      change: [termStore(deps.db, scope).insert(made, now)],
      audit: [auditOf(context, { action: 'botTerm.create', id: made.id, after: made })],
      reply: context.reply(made),
      expect: {
        onMissed: () =>
          new ProductError(
            'limit_reached',
            { limit: 'terms', used: TERMS_MAX, max: TERMS_MAX },
            `A workspace holds up to ${TERMS_MAX} terms. Delete some first.`,
          ),
      },
    }),
  )
  return made
}

/** @throws ProductError `version_conflict`, `name_taken` */
export async function updateTerm(
  context: RequestContext,
  { id, input }: { id: string; input: TermContent & { version: number } },
): Promise<BotTerm> {
  const { deps, scope, actor } = context
  const before = await requireTerm(context, id)
  await assertMeaning(context, input)
  const now = deps.clock.now()
  const next: BotTerm = {
    ...{ ...before, ...input, updatedByName: actor.name, version: input.version + 1, updatedAt: toIso(now) },
  }
  await rethrowNameTaken(
    'bot_terms.workspace_id',
    commit(deps, {
      change: [termStore(deps.db, scope).update(next, { version: input.version, now })],
      audit: [auditOf(context, { action: 'botTerm.update', id, before, after: next })],
      reply: context.reply(next),
      expect: {
        onMissed: async () => new ProductError('version_conflict', { current: await requireTerm(context, id) }),
      },
    }),
  )
  return next
}

export async function deleteTerm(
  context: RequestContext,
  { id, version }: { id: string; version: number },
): Promise<BotTerm> {
  const before = await requireTerm(context, id)
  await commit(context.deps, {
    change: [termStore(context.deps.db, context.scope).remove(id, version)],
    audit: [auditOf(context, { action: 'botTerm.delete', id, before })],
    reply: context.reply(before),
    expect: { onMissed: async () => new ProductError('version_conflict', { current: await requireTerm(context, id) }) },
  })
  return before
}
