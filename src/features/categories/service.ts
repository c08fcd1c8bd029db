import type { z } from 'zod'
import { categoryStore } from './store'
import { auditOfKind } from '../../db/audit-of'
import { commit } from '../../db/commit'
import { orNameTaken } from '../../db/name-taken'
import type { Deps } from '../../deps'
import type { Asking } from '../../http/asking'
import { ProductError } from '../../shared/errors'
import { CATEGORIES_MAX } from '../../shared/insight-care'
import type {
  Category,
  createCategorySchema,
  deleteCategorySchema,
  orderCategoriesSchema,
  updateCategorySchema,
} from '../../shared/insight-care'

export interface Ask extends Asking {
  deps: Deps
}

const storeOf = ({ deps, scope }: Pick<Ask, 'deps' | 'scope'>) => categoryStore(deps.db, scope)

export const listCategories = (ask: Pick<Ask, 'deps' | 'scope'>): Promise<Category[]> => storeOf(ask).list()

async function stored(ask: Ask, id: string): Promise<Category> {
  const category = await storeOf(ask).get(id)
  if (!category) throw new ProductError('not_found')
  return category
}

/** @throws ProductError `name_taken`; `limit_reached` when the workspace holds fifty */
export async function createCategory(ask: Ask, input: z.output<typeof createCategorySchema>): Promise<Category> {
  const { deps } = ask
  const made: Category = { ...input, id: deps.ids.next('category'), insightCount: 0, version: 1 }
  await orNameTaken(
    'categories.workspace_id',
    commit(deps, {
      change: [storeOf(ask).insert(made, deps.clock.now())],
      audit: [auditOf(ask, { action: 'category.create', id: made.id, after: made })],
      reply: ask.reply(made),
      expect: { onMissed: () => limitReached(ask) },
    }),
  )
  return made
}

async function limitReached(ask: Ask): Promise<ProductError> {
  const { length: used } = await storeOf(ask).list()
  const message = `A workspace has up to ${CATEGORIES_MAX} categories. Delete one that is not needed.`
  return new ProductError('limit_reached', { limit: 'categories', used, max: CATEGORIES_MAX }, message)
}

/** @throws ProductError `version_conflict` with the stored category as `current`, `name_taken` */
export async function updateCategory(
  ask: Ask,
  change: { id: string; input: z.output<typeof updateCategorySchema> },
): Promise<Category> {
  const { version, ...input } = change.input
  const before = await stored(ask, change.id)
  const next: Category = { ...before, ...input, version: version + 1 }
  await orNameTaken(
    'categories.workspace_id',
    commit(ask.deps, {
      change: [storeOf(ask).update(next, version)],
      audit: [auditOf(ask, { action: 'category.update', id: change.id, before, after: next })],
      reply: ask.reply(next),
      expect: { onMissed: () => conflict(ask, change.id) },
    }),
  )
  return next
}

const conflict = async (ask: Ask, id: string): Promise<ProductError> =>
  new ProductError('version_conflict', { current: await stored(ask, id) })

/** The order for everybody in the workspace. The last one to say so holds. */
export async function orderCategories(
  ask: Ask,
  { ids }: z.output<typeof orderCategoriesSchema>,
): Promise<{ ids: string[] }> {
  const unique = [...new Set(ids)]
  const known = new Set((await storeOf(ask).list()).map(({ id }) => id))
  if (unique.some((id) => !known.has(id))) throw new ProductError('not_found')
  await commit(ask.deps, {
    change: [storeOf(ask).order(unique)],
    audit: [auditOf(ask, { action: 'category.order', id: ask.scope.workspaceId, after: unique })],
    reply: ask.reply({ ids: unique }),
  })
  return { ids: unique }
}

/**
 * Gone at once: its insights go to `replacement`, another category or `none`.
 * @throws ProductError `in_use` with its insights, when nothing is said about them
 */
export async function deleteCategory(
  ask: Ask,
  at: { id: string } & z.output<typeof deleteCategorySchema>,
): Promise<Category> {
  const before = await stored(ask, at.id)
  const replacement = at.replacement === 'none' ? null : at.replacement
  const store = storeOf(ask)
  await commit(ask.deps, {
    change: [store.move(at.id, { version: at.version, replacement }), ...store.remove(at.id, replacement ?? null)],
    audit: [auditOf(ask, { action: 'category.delete', id: at.id, before: { ...before, replacement } })],
    reply: ask.reply(before),
    expect: { onMissed: () => removalMissed(ask, at) },
  })
  return before
}

async function removalMissed(ask: Ask, at: { id: string; version: number; replacement?: string | undefined }) {
  const current = await stored(ask, at.id)
  if (current.version !== at.version) return new ProductError('version_conflict', { current })
  if (at.replacement !== undefined)
    return new ProductError('invalid_input', { fields: { replacement: 'Pick another category, or none.' } })
  const insights = await storeOf(ask).insights(at.id)
  return new ProductError('in_use', { dependents: insights.map((insight) => ({ type: 'insight', ...insight })) })
}

const auditOf = auditOfKind('category')
