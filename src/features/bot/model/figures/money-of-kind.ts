import { moneyColumn } from '../schema/money'
import type { Context } from '../plan/context'
import type { SchemaColumn, SchemaDataset } from '../schema/schema'

/** Rows that only say of what kind other rows are have the amounts of these: fuel charges that are charges. */
export function moneyOfKind({ schema }: Context, { id, columns }: SchemaDataset): SchemaColumn | undefined {
  const kinds = schema.vocabulary.relations.filter(
    ({ from, further }) =>
      from.dataset === id && !further && columns.find(({ key }) => key === from.key)?.isUnique === true,
  )
  const [of, other] = kinds.map(({ to }) => schema.dataset(to.dataset))
  return of && !other ? moneyColumn(of) : undefined
}
