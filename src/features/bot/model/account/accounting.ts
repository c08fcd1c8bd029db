import {
  averages,
  alternatives,
  grades,
  lasting,
  keysThere,
  limitsOfBoth,
  partsOfTotals,
  perUnits,
  presently,
  ratings,
  shares,
  units,
  wholes,
} from './figures'
import { homes, limits, moments, names, ofSubject, onePerson, owners, predicates, subjects, verbs } from './names'
import { beside, comparedRows, daysOfUnits, orders, sinces, timeColumns, times, unitsListed } from './times'
import { breakdowns, comparisons, cuts, negations, numbers, superlatives, unsupported } from './words'
import {
  afterFigures,
  askedSizes,
  beings,
  comparedFigures,
  countsOne,
  deedsOfTimes,
  extremesWhere,
  notSince,
  operands,
  wholesOfShares,
  sizesOfThings,
  taxesDue,
} from './traps'
import type { Account, Check } from './account'
import type { Context } from '../plan/context'
import type { Doubt } from '../plan/coverage'
import { factsOf } from '../plan/plan-facts'
import type { QueryPlan } from '../../../../shared/query/plan'

/**
 * Holds a plan against the question it is to answer, knowing nothing of how it was made: what of the words has no part
 * of the plan, and what of the plan no words ask for. One of these is enough for the question to be asked back.
 */
export function accountDoubts(context: Context, plan: QueryPlan): Doubt[] {
  const { source } = context.encoded
  const account: Account = { context, plan, source, facts: factsOf(plan) }
  return CHECKS.flatMap((check) => check(account)).map((why) => ({ factor: UNACCOUNTED, why }))
}
const UNACCOUNTED = 0.7

const CHECKS: readonly Check[] = [
  negations,
  numbers,
  comparisons,
  unsupported,
  superlatives,
  cuts,
  breakdowns,
  names,
  subjects,
  ofSubject,
  onePerson,
  limits,
  moments,
  shares,
  predicates,
  owners,
  alternatives,
  grades,
  lasting,
  presently,
  keysThere,
  limitsOfBoth,
  ratings,
  units,
  wholes,
  averages,
  partsOfTotals,
  perUnits,
  times,
  timeColumns,
  homes,
  sinces,
  comparedRows,
  unitsListed,
  beside,
  daysOfUnits,
  orders,
  notSince,
  operands,
  beings,
  countsOne,
  wholesOfShares,
  afterFigures,
  comparedFigures,
  deedsOfTimes,
  sizesOfThings,
  taxesDue,
  askedSizes,
  extremesWhere,
  verbs,
]
