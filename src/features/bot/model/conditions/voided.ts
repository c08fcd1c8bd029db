import type { Context } from '../plan/context'
import type { ColumnCondition } from './conditions'
import { foldText } from '../../../../shared/bot/fold-text'
import type { Scalar } from '../../../../shared/query/plan'
import type { SchemaColumn } from '../schema/schema'

const PAID = /^(?:paid|payment|betal\w*|settled|reglerad\w*)$/
const STATE = /^(?:status|state|stage|lage|tillstand|skick)$/
const VOIDED =
  /^(?:void|voided|cancell?ed|credited|written off|write off|deleted|withdrawn|reversed|makulerad|krediterad|annullerad|avskriven|avbruten|installd|struken)$/

/**
 * "Unpaid" of rows that were never paid, and of which some never will be: those that a status calls void owe nothing, unless
 * the question names that status itself.
 */
export function withoutVoided(context: Context, conditions: readonly ColumnCondition[]): ColumnCondition[] {
  const { home } = context
  const isUnpaid = conditions.some(
    ({ column, conditions: [first] }) =>
      column.dataset === home.id &&
      column.isDate &&
      column.words.some((word) => PAID.test(word)) &&
      first?.op === 'empty',
  )
  if (!isUnpaid) return []
  return home.columns.filter(saysState).flatMap((column): ColumnCondition[] => {
    const voided = (column.source.values ?? []).filter(isVoided)
    const isAsked = conditions.some((each) => each.column === column)
    if (voided.length === 0 || isAsked) return []
    context.assumptions.push(`Without what is ${voided.map(String).join(' or ')}.`)
    return [{ column, conditions: [{ op: 'notIn', values: voided }], either: null, isNegated: false }]
  })
}
const saysState = ({ isText, words }: SchemaColumn): boolean => isText && words.some((word) => STATE.test(word))
const isVoided = (value: Scalar): boolean => typeof value === 'string' && VOIDED.test(foldText(value))
