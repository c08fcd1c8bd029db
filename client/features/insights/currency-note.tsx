import { Text } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { datasetIdsOf } from '../../../src/shared/plan-fields'
import type { QueryPlan } from '../../../src/shared/query'
import type { Dataset } from '../../../src/shared/sources'
import { toNumber } from '../../ui/chart/figure-format'
import { findMixedCurrency, currencyCountPlan } from './mixed-currency'
import { datasetQuery } from './queries'
import { planResultQuery } from '../../lib/figures'

/** Says quietly that amounts of several currencies are added as they stand; nothing when they are not. */
export function MixedCurrencyNote({ plan }: { plan: QueryPlan }) {
  const datasets = useQueries({
    queries: datasetIdsOf(plan).map((id) => datasetQuery(id)),
    combine: (all) => all.flatMap((one): Dataset[] => (one.data ? [one.data] : [])),
  })
  const found = findMixedCurrency(plan, datasets)
  const countPlan = currencyCountPlan(plan, found)
  const count = useQuery({ ...planResultQuery(countPlan ?? plan), enabled: countPlan !== null })
  const currencies = countPlan ? toNumber(count.data?.rows[0]?.[0]) : null
  if (!found || currencies === null || currencies < 2) return null
  return (
    <Text size="xs" c="dimmed">
      Amounts in {currencies} currencies are added as they stand ({found.column.label} in {found.dataset.name}). Split
      or filter by {found.column.label} to see one at a time, or say among the columns of {found.dataset.name} that it
      names the currency of its amounts.
    </Text>
  )
}
