import { isSameDeed } from '../language/deed-roots'
import { isDeedOf } from '../conditions/deeds'
import { when, type Check } from './account'

/** "Customers who joined in 2023": a day of theirs, or of rows that are called after the verb, and no day of other rows. */
export const checkDaysOfOthers: Check = ({ source, plan, context: { encoded, schema } }) =>
  [
    ...source.matchAll(
      /<m(\d+)> (?:who|that|which|som) (?:have |has |had |har |hade )?([a-z]{4,})(?: up| in)? <d\d+>/g,
    ),
  ].flatMap(([, at, verb = '']) => {
    const ref = encoded.mentions[Number(at)]?.matches[0]?.ref
    const field = plan.period?.field
    const day = field && schema.column(field.dataset, field.column)
    const table = field && schema.dataset(field.dataset)
    if (ref?.kind !== 'dataset' || !day || !table || day.dataset === ref.dataset) return []
    const isTheirs = isDeedOf(verb, table) || day.words.some((word) => isSameDeed(verb, word) || word === verb)
    return when(
      !isTheirs && schema.dataset(ref.dataset)?.columns.some(({ isDate }) => isDate) === true,
      'whose day it is',
    )
  })
