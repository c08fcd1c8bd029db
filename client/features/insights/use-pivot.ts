import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { QueryPlan } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import { queryClient } from '../../lib/query-client'
import type { FigureFormat } from '../../ui/chart/figure-format'
import { withPercent } from '../../ui/chart/percent'
import { pivotModel, pivotPlans } from '../../ui/chart/pivot-model'
import type { PivotAnswers, PivotModel, PivotPlans } from '../../ui/chart/pivot-model'
import { figuresQuery } from '../../lib/figures'

type Named = [keyof PivotPlans, QueryPlan]
const NAMES: (keyof PivotPlans)[] = ['rows', 'across', 'outer', 'outerTotal']
const named = (plan: QueryPlan): Named[] => {
  const plans = pivotPlans(plan)
  return NAMES.flatMap((name): Named[] => {
    const one = plans?.[name]
    return one ? [[name, one]] : []
  })
}

interface Asked {
  plan: QueryPlan
  /** The answer to the plan, as it is shown. */
  result: QueryResult
  percent: readonly number[] | undefined
  format: FigureFormat
}

/** The pivot of an answer; its totals come in as their answers do. */
export function usePivot({ plan, result, percent, format }: Asked): { model: PivotModel | null; failed: boolean } {
  const plans = useMemo(() => named(plan), [plan])
  const { answers, failed } = useQueries({
    queries: plans.map(([, one]) => figuresQuery(one)),
    combine: (all) => ({ answers: all.map((one) => one.data), failed: all.some((one) => one.isError) }),
  })
  const model = useMemo(() => {
    const known: PivotAnswers = Object.fromEntries(
      plans.map(([name], at) => [name, answers[at] && withPercent(answers[at], percent)]),
    )
    return pivotModel(result, known, format)
  }, [plans, answers, result, percent, format])
  return { model, failed }
}

/** The same, waited for: for pictures. */
export async function loadPivot({ plan, result, percent, format }: Asked): Promise<PivotModel | null> {
  const plans = named(plan)
  const found = await Promise.all(plans.map(([, one]) => queryClient.ensureQueryData(figuresQuery(one))))
  const known: PivotAnswers = Object.fromEntries(
    plans.map(([name], at) => [name, found[at] && withPercent(found[at], percent)]),
  )
  return pivotModel(result, known, format)
}
