import {
  checkAverages,
  checkAveragesOfUnits,
  checkAlternatives,
  checkGrades,
  checkLasting,
  checkKeysThere,
  checkLimitsOfBoth,
  checkPartsOfTotals,
  checkPerUnits,
  checkPresently,
  checkRatings,
  checkShares,
  checkUnits,
  checkWholes,
} from './figures'
import { checkRatiosOfTables } from './ratios-of-tables'
import { checkBetterments } from './betterments'
import { checkFlagsListed, checkUnreadNouns } from './unread-nouns'
import { checkDaysOfOthers } from './days-of-others'
import { checkStates } from './verbs-of-state'
import { checkCatalogues } from './catalogues'
import { checkSides } from './sides'
import { checkLinesOfWholes } from './lines-of-wholes'
import {
  checkHomes,
  checkLimits,
  checkMoments,
  checkNames,
  checkOfSubject,
  checkOnePerson,
  checkOwners,
  checkPredicates,
  checkSubjects,
  checkVerbs,
  checkWho,
} from './names'
import {
  checkBeside,
  checkComparedRows,
  checkDaysOfUnits,
  checkOrders,
  checkSinces,
  checkTimeColumns,
  checkTimes,
  checkUnitsListed,
} from './times'
import {
  checkBreakdowns,
  checkComparisons,
  checkCuts,
  checkNegations,
  checkNumbers,
  checkSecondValues,
  checkSuperlatives,
  checkUnsupported,
} from './words'
import {
  checkAfterFigures,
  checkAskedSizes,
  checkBeings,
  checkComparedFigures,
  checkCountsOne,
  checkCountsSplit,
  checkDeedsOfTimes,
  checkExtremesWhere,
  checkNotSince,
  checkOperands,
  checkWholesOfShares,
  checkWorth,
  checkSizesOfThings,
  checkTaxesDue,
  checkAveragesOfWholes,
  checkLateness,
  checkValuesSideBySide,
  checkOwned,
  checkPricesAsked,
  checkMeansOverSums,
  checkRemaining,
} from './traps'
import type { Account, Check } from './account'
import type { Context } from '../plan/context'
import type { Deduction } from '../score/coverage'
import { factsOf } from '../score/plan-facts'
import type { QueryPlan } from '../../../../shared/query/plan'

/**
 * Holds a plan against the question it is to answer, knowing nothing of how it was made: what of the words has no part
 * of the plan, and what of the plan no words ask for. One of these is enough for the question to be asked back.
 */
export function accountDeductions(context: Context, plan: QueryPlan): Deduction[] {
  const { source } = context.encoded
  const account: Account = { context, plan, source, facts: factsOf(plan) }
  return CHECKS.flatMap((check) => check(account)).map((why) => ({ factor: UNACCOUNTED, why }))
}
const UNACCOUNTED = 0.7

const CHECKS: readonly Check[] = [
  checkNegations,
  checkNumbers,
  checkSecondValues,
  checkStates,
  checkDaysOfOthers,
  checkUnreadNouns,
  checkBetterments,
  checkFlagsListed,
  checkRatiosOfTables,
  checkComparisons,
  checkUnsupported,
  checkSuperlatives,
  checkCuts,
  checkBreakdowns,
  checkNames,
  checkSubjects,
  checkOfSubject,
  checkOnePerson,
  checkLimits,
  checkMoments,
  checkSides,
  checkShares,
  checkPredicates,
  checkOwners,
  checkAlternatives,
  checkGrades,
  checkLasting,
  checkPresently,
  checkKeysThere,
  checkLimitsOfBoth,
  checkRatings,
  checkUnits,
  checkWholes,
  checkAverages,
  checkAveragesOfUnits,
  checkPartsOfTotals,
  checkPerUnits,
  checkTimes,
  checkTimeColumns,
  checkHomes,
  checkCatalogues,
  checkLinesOfWholes,
  checkSinces,
  checkComparedRows,
  checkUnitsListed,
  checkBeside,
  checkDaysOfUnits,
  checkOrders,
  checkNotSince,
  checkOperands,
  checkBeings,
  checkCountsOne,
  checkCountsSplit,
  checkWholesOfShares,
  checkWorth,
  checkAfterFigures,
  checkComparedFigures,
  checkDeedsOfTimes,
  checkSizesOfThings,
  checkTaxesDue,
  checkAveragesOfWholes,
  checkLateness,
  checkValuesSideBySide,
  checkOwned,
  checkPricesAsked,
  checkMeansOverSums,
  checkRemaining,
  checkAskedSizes,
  checkExtremesWhere,
  checkVerbs,
  checkWho,
]
