import { Unreadable, type Context } from '../plan/context'
import type { MeasureAsk } from '../parse/measure-ask'
import type { Measure } from '../../../../shared/query/plan'
import { planFieldsOf } from '../../../../shared/query/plan-fields'

const STANDS_NOW =
  'Your books tell me the balance now and in total, not on another day or for part of it. Ask for cash flow to see how it moved.'
/** A figure that the business has, of whose rows the question has to be: a day of others says something else. */
export function planFigure({ home, deductions, ask: asked }: Context, ask: MeasureAsk & { kind: 'plan' }): Measure {
  const { splits } = asked
  const isOfPart = splits.length + asked.dates.length + asked.values.length + asked.conditions.length > 0
  if (ask.isStanding && isOfPart)
    throw new Unreadable('out_of_scope', 'A balance of now, asked of another day.', STANDS_NOW)
  const isOfHome = (measure: Measure): boolean => {
    const plan = { v: 3 as const, kind: 'aggregate' as const, measures: [measure], dimensions: [], filters: [] }
    return planFieldsOf(plan).some(({ dataset }) => dataset === home.id)
  }
  if (isOfHome(ask.measure)) return ask.measure
  const own = ask.elsewhere?.find(isOfHome)
  // Broken down by what these rows say it would be told of rows that it is not of.
  if (!own && splits.length > 0) throw new Unreadable('no_relation', 'The figure is of other rows.')
  deductions.push(
    own ? { factor: 0.97, why: 'by rows of another table' } : { factor: 0.75, why: 'a figure of other rows' },
  )
  return own ?? ask.measure
}
