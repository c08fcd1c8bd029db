import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { QueryPlan } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import { queryClient } from '../../lib/query-client'
import type { CellFormatter } from '../../ui/chart/figure-format'
import { withPercent } from '../../ui/chart/percent'
import { pivotModel, pivotPlans } from '../../ui/chart/pivot-model'
import type { PivotResults, PivotModel, PivotPlans } from '../../ui/chart/pivot-model'
import { planResultQuery } from '../../lib/figures'

type NamedPivotPlan = [keyof PivotPlans, QueryPlan]
const PIVOT_PLAN_NAMES: (keyof PivotPlans)[] = ['rows', 'across', 'outer', 'outerTotal']
const namedPivotPlans = (plan: QueryPlan): NamedPivotPlan[] => {
  const plans = pivotPlans(plan)
  return PIVOT_PLAN_NAMES.flatMap((name): NamedPivotPlan[] => {
    const one = plans?.[name]
    return one ? [[name, one]] : []
  })
}

interface PivotInput {
  plan: QueryPlan
  /** The answer to the plan, as it is shown. */
  result: QueryResult
  percent: readonly number[] | undefined
  format: CellFormatter
}

/** The pivot of an answer; its totals come in as their answers do. */
export function usePivot({ plan, result, percent, format }: PivotInput): { model: PivotModel | null; failed: boolean } {
  const plans = useMemo(() => namedPivotPlans(plan), [plan])
  const { answers, failed } = useQueries({
    queries: plans.map(([, one]) => planResultQuery(one)),
    combine: (all) => ({ answers: all.map((one) => one.data), failed: all.some((one) => one.isError) }),
  })
  const model = useMemo(() => {
    const known: PivotResults = Object.fromEntries(
      plans.map(([name], at) => [name, answers[at] && withPercent(answers[at], percent)]),
    )
    return pivotModel(result, known, format)
  }, [plans, answers, result, percent, format])
  return { model, failed }
}

/** The same, waited for: for pictures. */
export async function loadPivot({ plan, result, percent, format }: PivotInput): Promise<PivotModel | null> {
  const plans = namedPivotPlans(plan)
  const found = await Promise.all(plans.map(([, one]) => queryClient.ensureQueryData(planResultQuery(one))))
  const known: PivotResults = Object.fromEntries(
    plans.map(([name], at) => [name, found[at] && withPercent(found[at], percent)]),
  )
  return pivotModel(result, known, format)
}
