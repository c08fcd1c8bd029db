import { when, type Check } from './account'
import { SAYS_LINES } from '../schema/lines'
import { conditionsOf, fieldKey } from '../score/plan-facts'
import { numberedColumn } from '../plan/entities'

/**
 * "Orders over 3000" of rows that are lines of orders: each order stands in several of them, so that neither a list of
 * rows nor an amount, an average or a share of them is that of orders, unless they are told apart by their number.
 */
export const checkLinesOfWholes: Check = ({ plan, facts, context: { home, named, schema, encoded } }) => {
  const number = numberedColumn(home)
  if (!number || !named.has(home.id)) return []
  const key = fieldKey({ dataset: home.id, column: number.key })
  const isTold = facts.text.includes(`"agg":"countDistinct","field":{"dataset":"${home.id}","column":"${number.key}"}`)
  const isSplit = plan.dimensions.some(({ field }) => fieldKey(field) === key)
  const isCut = conditionsOf(plan).some(
    ({ column, condition }) =>
      /^(?:gt|ge|lt|le|between)$/.test(condition.op) &&
      schema.column(column.dataset, column.column)?.isNumeric === true,
  )
  const isCounted = plan.measures.some((measure) => /"agg":"(?:count|avg|median)"/.test(JSON.stringify(measure)))
  // "Order lines" are what is counted.
  const isOfLines = encoded.mentions.some(({ words }) => SAYS_LINES.test(words))
  return [
    ...when(plan.kind === 'rows' && !isSplit, 'a list of lines, and not of what they belong to'),
    ...when(isCut && !isTold, 'an amount of lines, or of what they belong to'),
    ...when(isCounted && !isTold && !isOfLines, 'lines are counted, and not what they belong to'),
  ]
}
