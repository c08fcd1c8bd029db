import type { z } from 'zod'
import { categoryStore } from './category-store'
import { auditEntryFactory, commit, rethrowNameTaken } from '../../db/commit'
import type { RequestContext } from '../../http/request-context'
import { ProductError } from '../../shared/errors'
import { CATEGORIES_MAX } from '../../shared/insights'
import type {
  Category,
  createCategorySchema,
  deleteCategorySchema,
  orderCategoriesSchema,
  updateCategorySchema,
} from '../../shared/insights'
import type { ReadContext } from '../../deps'

const storeOf = ({ deps, scope }: ReadContext) => categoryStore(deps.db, scope)

export const listCategories = (ask: ReadContext): Promise<Category[]> => storeOf(ask).list()

async function requireCategory(context: RequestContext, id: string): Promise<Category> {
  const category = await storeOf(context).get(id)
  if (!category) throw new ProductError('not_found')
  return category
}

/** @throws ProductError `name_taken`; `limit_reached` when the workspace holds fifty */
export async function createCategory(
  context: RequestContext,
  input: z.output<typeof createCategorySchema>,
): Promise<Category> {
  const { deps } = context
  const made: Category = { ...input, id: deps.ids.next('category'), insightCount: 0, version: 1 }
  await rethrowNameTaken(
    'categories.workspace_id',
    commit(deps, {
      change: [storeOf(context).insert(made, deps.clock.now())],
      audit: [auditOf(context, { action: 'category.create', id: made.id, after: made })],
      reply: context.reply(made),
      expect: { onMissed: () => limitReached(context) },
    }),
  )
  return made
}

async function limitReached(context: RequestContext): Promise<ProductError> {
  const { length: used } = await storeOf(context).list()
  const message = `A workspace has up to ${CATEGORIES_MAX} categories. Delete one that is not needed.`
  return new ProductError('limit_reached', { limit: 'categories', used, max: CATEGORIES_MAX }, message)
}

/** @throws ProductError `version_conflict` with the stored category as `current`, `name_taken` */
export async function updateCategory(
  context: RequestContext,
  change: { id: string; input: z.output<typeof updateCategorySchema> },
): Promise<Category> {
  const { version, ...input } = change.input
  const before = await requireCategory(context, change.id)
  const next: Category = { ...before, ...input, version: version + 1 }
  await rethrowNameTaken(
    'categories.workspace_id',
    commit(context.deps, {
      change: [storeOf(context).update(next, version)],
      audit: [auditOf(context, { action: 'category.update', id: change.id, before, after: next })],
      reply: context.reply(next),
      expect: { onMissed: () => versionConflict(context, change.id) },
    }),
  )
  return next
}

const versionConflict = async (context: RequestContext, id: string): Promise<ProductError> =>
  new ProductError('version_conflict', { current: await requireCategory(context, id) })

/** The order for everybody in the workspace. The last one to say so holds. */
export async function orderCategories(
  context: RequestContext,
  { ids }: z.output<typeof orderCategoriesSchema>,
): Promise<{ ids: string[] }> {
  const unique = [...new Set(ids)]
  const known = new Set((await storeOf(context).list()).map(({ id }) => id))
  if (unique.some((id) => !known.has(id))) throw new ProductError('not_found')
  await commit(context.deps, {
    change: [storeOf(context).order(unique)],
    audit: [auditOf(context, { action: 'category.order', id: context.scope.workspaceId, after: unique })],
    reply: context.reply({ ids: unique }),
  })
  return { ids: unique }
}

/**
 * Gone at once: its insights go to `replacement`, another category or `none`.
 * @throws ProductError `in_use` with its insights, when nothing is said about them
 */
export async function deleteCategory(
  context: RequestContext,
  at: { id: string } & z.output<typeof deleteCategorySchema>,
): Promise<Category> {
  const before = await requireCategory(context, at.id)
  const replacement = at.replacement === 'none' ? null : at.replacement
  const store = storeOf(context)
  await commit(context.deps, {
    change: [store.move(at.id, { version: at.version, replacement }), ...store.remove(at.id, replacement ?? null)],
    audit: [auditOf(context, { action: 'category.delete', id: at.id, before: { ...before, replacement } })],
    reply: context.reply(before),
    expect: { onMissed: () => removalConflict(context, at) },
  })
  return before
}

async function removalConflict(
  context: RequestContext,
  at: { id: string; version: number; replacement?: string | undefined },
) {
  const current = await requireCategory(context, at.id)
  if (current.version !== at.version) return new ProductError('version_conflict', { current })
  if (at.replacement !== undefined)
    return new ProductError('invalid_input', { fields: { replacement: 'Choose another category, or none.' } })
  const insights = await storeOf(context).insights(at.id)
  return new ProductError('in_use', { dependents: insights.map((insight) => ({ type: 'insight', ...insight })) })
}

const auditOf = auditEntryFactory('category')
