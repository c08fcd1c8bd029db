import { screen } from '@testing-library/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, expect, it } from 'vitest'
import { useCellFormatter } from '../../lib/cell-formatter'
import { loadedDatasetsQuery } from '../../lib/queries/data-source-queries'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import type { QueryResult } from '../../../src/shared/query/result'
import { ResultTable } from './result-table'
import { FreshnessStrip } from '../freshness'

const DATASET = 'ds_00000000000000000001'
const column = (key: 'c0' | 'c1', label: string): QueryResult['columns'][number] => ({
  ...{ key, label, kind: 'column', type: 'text', format: { style: 'plain' }, field: { dataset: DATASET, column: key } },
})
const RECORDS: QueryResult = {
  ...{ kind: 'rows', rows: [['Bo', '•••• 1234']], otherRow: null, totals: null, rowCount: 1, truncated: false },
  columns: [column('c0', 'Name'), column('c1', 'Account')],
  ...{ words: '', datasets: [], dataAsOf: null, hash: 'h', cached: false, period: null, restricted: true },
}

function Records() {
  const format = useCellFormatter()
  return <ResultTable plan={null} result={RECORDS} format={format} caption="Records" />
}

beforeEach(() => setSession(memberPageData('viewer')))

it('stands in the heading of a masked column, and in no other', async () => {
  const client = new QueryClient()
  // Without its type: the columns of a whole dataset say more than is looked at here.
  client.setQueryData([...loadedDatasetsQuery().queryKey], {
    items: [
      {
        name: 'Shop',
        datasets: [{ id: DATASET, dataVersion: 1, columns: [{ key: 'c0' }, { key: 'c1', mask: 'lastFour' }] }],
      },
    ],
    nextCursor: null,
  })
  await renderWithProviders(
    <QueryClientProvider client={client}>
      <Records />
    </QueryClientProvider>,
  )
  const [name, account] = screen.getAllByRole('columnheader')
  expect(account).toContainElement(screen.getByRole('img', { name: 'Masked: last four characters' }))
  expect(name?.querySelector('[role="img"]')).toBeNull()
})

it('goes with words beside the age of figures that are of some rows or values only', async () => {
  const strip = { asOf: null, sources: { failed: [], loading: false } }
  const { unmount } = await renderWithProviders(<FreshnessStrip {...strip} restricted />)
  expect(screen.getByText('No data yet · Based on data you may see')).toBeVisible()
  unmount()
  await renderWithProviders(<FreshnessStrip {...strip} />)
  expect(screen.queryByText(/Based on data/)).toBeNull()
})
