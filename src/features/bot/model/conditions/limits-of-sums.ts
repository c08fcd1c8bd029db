import { columnAt, isReachable, type Context } from '../plan/context'
import { entityOf } from '../plan/items'
import type { SchemaColumn } from '../schema/schema'

/** "Projects with more than 60 hours" of time sheets: what those of each come to, and no size of one row. */
export function addsUpToLimit(context: Context, at: number, column: SchemaColumn): boolean {
  const entity = entityOf(context)
  const isChild = entity !== undefined && entity.id !== context.home.id && isReachable(context, entity.id)
  // "Consultants with less than 100 hours" of a heading that repeats from row to row.
  const repeats = context.ask.outputs.some((item) => {
    const named = item.kind === 'name' && item.at !== at ? columnAt(context, item.at) : undefined
    return named?.dataset === context.home.id && named.isText && !named.isKey && !named.isUnique
  })
  const isHad = new RegExp(
    `(?:have|has|had|with|har|hade|med|logged|worked|spent|lagt|jobbat)(?: a total of| in total| totalt)? (?:more than|less than|fewer than|over|under|at least|at most|mer an|fler an|mindre an|farre an|minst|hogst|exactly) \\d+(?:\\.\\d+)? <m${at}>`,
  ).test(context.encoded.source)
  return (
    (isChild || (entity?.id !== context.home.id && repeats)) &&
    isHad &&
    column.dataset === context.home.id &&
    column.isAdditive
  )
}
