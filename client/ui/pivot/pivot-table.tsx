import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { QueryResult } from '../../../src/shared/query/result'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'
import { planResultQuery } from '../../lib/plan-result'
import { queryClient } from '../../lib/queries/query-client'
import { withPercent } from '../../../src/shared/charts/chart-model'
import { pivotModel, pivotPlans } from '../chart/pivot-model'
import type { PivotResults, PivotModel, PivotPlans } from '../chart/pivot-model'
import { MutedText } from '../muted-text'
import { PivotGrid } from './pivot-grid'

type NamedPivotPlan = [keyof PivotPlans, QueryPlan]
const PIVOT_PLAN_NAMES: (keyof PivotPlans)[] = ['rows', 'across', 'outer', 'outerTotal']
const namedPivotPlans = (plan: QueryPlan): NamedPivotPlan[] => {
  const plans = pivotPlans(plan)
  return PIVOT_PLAN_NAMES.flatMap((name): NamedPivotPlan[] => {
    const one = plans?.[name]
    return one ? [[name, one]] : []
  })
}

const namedResults = (
  plans: readonly NamedPivotPlan[],
  results: readonly (QueryResult | undefined)[],
  percent: readonly number[] | undefined,
): PivotResults =>
  Object.fromEntries(plans.map(([name], at) => [name, results[at] && withPercent(results[at], percent)]))

interface PivotInput {
  plan: QueryPlan
  result: QueryResult
  percent: readonly number[] | undefined
  format: CellFormatter
}

/** The pivot of an answer; its totals come in as their answers do. */
function usePivot({ plan, result, percent, format }: PivotInput): { model: PivotModel | null; failed: boolean } {
  const plans = useMemo(() => namedPivotPlans(plan), [plan])
  const { answers, failed } = useQueries({
    queries: plans.map(([, one]) => planResultQuery(one)),
    combine: (all) => ({ answers: all.map((one) => one.data), failed: all.some((one) => one.isError) }),
  })
  const model = useMemo(() => {
    return pivotModel(result, namedResults(plans, answers, percent), format)
  }, [plans, answers, result, percent, format])
  return { model, failed }
}

/** The same, waited for: for pictures. */
export async function loadPivot({ plan, result, percent, format }: PivotInput): Promise<PivotModel | null> {
  const plans = namedPivotPlans(plan)
  const found = await Promise.all(plans.map(([, one]) => queryClient.ensureQueryData(planResultQuery(one))))
  return pivotModel(result, namedResults(plans, found, percent), format)
}

interface PivotTableProps extends PivotInput {
  caption: string
  onPick?: ((row: number) => void) | undefined
}

/** Splits downwards and across with the server's own totals. Arrow keys walk the cells, Enter opens or folds. */
export function PivotTable(props: PivotTableProps) {
  const { plan, result, percent, format, onPick } = props
  const { model, failed } = usePivot({ plan, result, percent, format })
  if (!model) return null
  return (
    <>
      <PivotGrid key={result.hash} model={model} format={format} caption={props.caption} onPick={onPick} />
      <MutedText size="xs">
        {[...(failed ? ['Couldn’t load totals. Reload the page.'] : []), ...model.notes].join(' ')}
      </MutedText>
    </>
  )
}
