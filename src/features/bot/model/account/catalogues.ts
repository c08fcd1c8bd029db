import { when, type Check } from './account'

const DONE =
  /\b(?:gjort|gjorde|salt|salde|haft|hade|kopt|kopte|utfort|utforde|levererat|levererade|bokat|jobbat|arbetat|did|done|sold|bought|used|had|worked|delivered|booked|performed)\b/
/**
 * "How many hours of massage have we done" of a list of what is offered: there each kind stands once, and how often it
 * was done is said by the rows that point at it.
 */
export const checkCatalogues: Check = ({ plan, context: { home, schema, named, words } }) => {
  const isList =
    home.columns.every(({ isDate }) => !isDate) &&
    schema.vocabulary.relations.some(
      ({ from, to }) =>
        to.dataset === home.id && schema.dataset(from.dataset)?.columns.some(({ isDate }) => isDate) === true,
    )
  const isAddedUp = /"agg":"sum"/.test(JSON.stringify(plan.measures))
  return when(isList && isAddedUp && DONE.test(words) && !named.has(home.id), 'what was done, and not what is offered')
}
