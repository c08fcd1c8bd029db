import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { QueryResult } from '../../../src/shared/query/result'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'
import { planResultQuery } from '../../lib/plan-result'
import { queryClient } from '../../lib/queries/query-client'
import { withPercent } from '../../../src/shared/charts/chart-model'
import { pivotModel, pivotPlans } from '../../../src/shared/charts/pivot-model'
import type { PivotHead, PivotResults, PivotModel, PivotPlans } from '../../../src/shared/charts/pivot-model'
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

const shownTotals = (totals: PivotResults, percent: readonly number[] | undefined): PivotResults =>
  Object.fromEntries(Object.entries(totals).map(([name, one]) => [name, one && withPercent(one, percent)]))

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
  /** Its totals, where they came with the answer; else they are asked for. */
  totals?: PivotResults | undefined
}

/** The pivot of an answer; its totals come in as their answers do. */
function usePivot(input: PivotInput): { model: PivotModel | null; failed: boolean } {
  const { plan, result, percent, format, totals } = input
  const plans = useMemo(() => (totals ? [] : namedPivotPlans(plan)), [plan, totals])
  const { answers, failed } = useQueries({
    queries: plans.map(([, one]) => planResultQuery(one)),
    combine: (all) => ({ answers: all.map((one) => one.data), failed: all.some((one) => one.isError) }),
  })
  const model = useMemo(() => {
    const found = totals ? shownTotals(totals, percent) : namedResults(plans, answers, percent)
    return pivotModel(result, found, format)
  }, [totals, plans, answers, result, percent, format])
  return { model, failed }
}

/** The same, waited for: for pictures. */
export async function loadPivot(input: PivotInput): Promise<PivotModel | null> {
  const { plan, result, percent, format, totals } = input
  if (totals) return pivotModel(withPercent(result, percent), shownTotals(totals, percent), format)
  const plans = namedPivotPlans(plan)
  const found = await Promise.all(plans.map(([, one]) => queryClient.ensureQueryData(planResultQuery(one))))
  return pivotModel(result, namedResults(plans, found, percent), format)
}

interface PivotTableProps extends PivotInput {
  caption: string
  onPick?: ((row: number) => void) | undefined
  /** A heading was clicked. */
  onPickHead?: ((head: PivotHead) => void) | undefined
  /** Which headings are chosen. */
  isHeadPicked?: ((head: PivotHead) => boolean) | undefined
}

/** Splits downwards and across with the server's own totals. Arrow keys walk the cells, Enter opens or folds. */
export function PivotTable(props: PivotTableProps) {
  const { result, format, caption, onPick, onPickHead, isHeadPicked } = props
  const { model, failed } = usePivot(props)
  if (!model) return null
  return (
    <>
      <PivotGrid key={result.hash} {...{ model, format, caption, onPick, onPickHead, isHeadPicked }} />
      <MutedText size="xs">
        {[...(failed ? ['Couldn’t load totals. Reload the page.'] : []), ...model.notes].join(' ')}
      </MutedText>
    </>
  )
}
