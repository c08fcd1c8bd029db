import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { formatNameList } from '../../../lib/plan/retained-items'
import { planResultQuery } from '../../../lib/plan-result'
import { useSession } from '../../../lib/session'
import { suggestCurrencyColumn } from '../../../../src/shared/currencies'
import type { Column, Dataset } from '../../../../src/shared/data-sources/data-sources'
import type { QueryPlan } from '../../../../src/shared/query/plan'

const LISTED = 5

const currenciesPlan = (dataset: string, { key }: Column): QueryPlan => ({
  ...{ v: 1, kind: 'aggregate', dataset, filters: [], limit: LISTED },
  measures: [{ kind: 'column', agg: 'count', dataset }],
  dimensions: [{ field: { dataset, column: key } }],
})

/** Says that amounts beside a column of several currencies are added as if they were in one; nothing where none are. */
export function MixedCurrencies({ dataset: { id, columns } }: { dataset: Pick<Dataset, 'id' | 'columns'> }) {
  const by = columns.find(({ key }) => columns.some((column) => suggestCurrencyColumn(column, columns) === key))
  return by === undefined ? null : <AmountsBeside dataset={id} columns={columns} by={by} />
}

function AmountsBeside({ dataset, columns, by }: { dataset: string; columns: readonly Column[]; by: Column }) {
  const converts = useSession().workspace?.entitlements.features.multiCurrency ?? false
  const { data } = useQuery(planResultQuery(currenciesPlan(dataset, by)))
  const currencies = (data?.rows ?? []).flatMap(([code]) => (typeof code === 'string' && code !== '' ? [code] : []))
  if (currencies.length < 2) return null
  const amounts = columns.filter((column) => suggestCurrencyColumn(column, columns) === by.key)
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title="Different currencies added">
      <Text size="sm">
        {formatNameList(amounts.map(({ label }) => label))}: {formatNameList(currencies.toSorted())} are added without
        conversion. {converts ? `Set “${by.label}” as the currency under Columns.` : 'Conversion needs Professional.'}
      </Text>
    </Alert>
  )
}
