import { Text } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { datasetsOf } from '../../../src/shared/plan-fields'
import type { QueryPlan } from '../../../src/shared/query'
import type { Dataset } from '../../../src/shared/sources'
import { numeric } from '../../ui/chart/figure-format'
import { mixedCurrency, currenciesPlan } from './mixed-currency'
import { datasetQuery } from './queries'
import { figuresQuery } from '../../lib/figures'

/** Says quietly that amounts of several currencies are added as they stand; nothing when they are not. */
export function CurrencyNote({ plan }: { plan: QueryPlan }) {
  const datasets = useQueries({
    queries: datasetsOf(plan).map((id) => datasetQuery(id)),
    combine: (all) => all.flatMap((one): Dataset[] => (one.data ? [one.data] : [])),
  })
  const found = mixedCurrency(plan, datasets)
  const asked = currenciesPlan(plan, found)
  const count = useQuery({ ...figuresQuery(asked ?? plan), enabled: asked !== null })
  const currencies = asked ? numeric(count.data?.rows[0]?.[0]) : null
  if (!found || currencies === null || currencies < 2) return null
  return (
    <Text size="xs" c="dimmed">
      Amounts in {currencies} currencies are added as they stand ({found.column.label} in {found.dataset.name}). Split
      or filter by {found.column.label} to see one at a time, or say among the columns of {found.dataset.name} that it
      names the currency of its amounts.
    </Text>
  )
}
