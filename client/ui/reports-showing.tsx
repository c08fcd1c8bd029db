import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReportSummary } from '../../src/shared/reports/reports'
import { api } from '../lib/api'
import { itemsQuery } from '../lib/queries/query-options'

const LISTED = '10'
const reportsShowingQuery = (id: string) =>
  itemsQuery<ReportSummary>(['reports', 'list', 'showing', id], (options) =>
    api.api.reports.$get({ query: { limit: LISTED, showing: id } }, options),
  )

/** Which reports show a thing that is about to go; nothing where none does. */
export function ReportsShowing({ id }: { id: string }) {
  const reports = useQuery(reportsShowingQuery(id)).data ?? []
  if (reports.length === 0) return null
  return (
    <Alert mt="sm" color="yellow" title={reports.length === 1 ? 'Shown in a report' : 'Shown in reports'}>
      {reports.map(({ name }) => name).join(', ')}. Its block there will be empty.
    </Alert>
  )
}
