import { when, type Check } from './account'
import type { Measure } from '../../../../shared/query/plan'
import type { SchemaColumn } from '../schema/schema'
import type { Schema } from '../schema/schema'

/** What one piece or one hour costs: rightly added up once for each row that points at it. */
const OF_ONE = /^(?:cost|price|fee|rate|pris|kostnad|avgift|timpris|weight|credits?|points?|units?)$/
/**
 * "Amount paid divided by yearly premium", of claims and of what they belong to: a premium that is added up once for
 * each claim is no total of premiums.
 */
export const checkRatiosOfTables: Check = ({ plan, context: { schema, home } }) =>
  plan.measures.flatMap((measure) => {
    const sides = measure.kind === 'ratio' ? [measure.over, measure.under].map((side) => summed(schema, side)) : []
    const [over, under] = sides
    const further = over?.dataset === home.id ? under : over
    if (!over || !under || !further || over.dataset === under.dataset) return []
    const [hop, more] = schema.path(home.id, further.dataset) ?? []
    const key = hop && schema.column(hop.from.dataset, hop.from.key)
    const repeats = key !== undefined && !key.isUnique && more === undefined
    return when(
      repeats && further.isAdditive && !further.words.some((word) => OF_ONE.test(word)),
      `${further.source.label} counts once for each row`,
    )
  })
const summed = (schema: Schema, measure: Measure): SchemaColumn | undefined =>
  measure.kind === 'column' && measure.agg === 'sum' && measure.field
    ? schema.column(measure.field.dataset, measure.field.column)
    : undefined
