import { Anchor, Button, Stack, Table } from '@mantine/core'
import { skipToken, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { entryAmount, voucherName, type EntryColumns } from './drill-plans'
import { entriesQuery } from './queries'
import { useFormat } from '../../lib/format'
import { planResultQuery } from '../../lib/plan-result'
import { MutedText } from '../../ui/muted-text'
import { QueryError } from '../../ui/query-view'
import { ScrollableTable } from '../../ui/scrollable-table'
import { TableSkeleton } from '../../ui/skeletons'
import { QUERY_ROWS_MAX } from '../../../src/shared/limits'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { Cell } from '../../../src/shared/query/result'
import { statementFigure } from '../../../src/shared/statements/words'

interface EntryListProps {
  plan: QueryPlan
  at: EntryColumns
  decimals: number
  label: string
  /** Of a voucher, what accounts are called: its entries are of several. */
  names?: QueryPlan | null
  /** Opens the voucher of an entry; null where that is what is shown. */
  onOpen: ((entry: readonly Cell[]) => void) | null
}

/** Accounts with what they are called, as far as that is known. */
function useAccountNames(plan: QueryPlan | null): (account: string) => string {
  const found = useQuery(
    plan
      ? planResultQuery({ ...plan, limit: QUERY_ROWS_MAX })
      : { queryKey: ['figures', 'no names'], queryFn: skipToken },
  )
  const names = found.data?.columns[0]?.names?.of ?? {}
  return (account) => [account, names[account]].filter(Boolean).join(' ')
}

/** Entries of an account or of a voucher, further ones on demand. */
export function EntryList({ plan, at, decimals, label, names, onOpen }: EntryListProps) {
  const format = useFormat()
  const entries = useInfiniteQuery(entriesQuery(plan))
  const withAccount = names !== undefined
  const nameOf = useAccountNames(names ?? null)
  const { data } = entries
  if (!data) return entries.isError ? <QueryError query={entries} /> : <TableSkeleton count={6} />
  const rows = data.pages.flatMap((page) => page.rows)
  const total = data.pages[0]?.rowCount ?? rows.length
  if (rows.length === 0) return <MutedText>No entries in this period.</MutedText>
  const amount = (entry: readonly Cell[]): string =>
    statementFigure(entryAmount(entry, at), { format: 'money', kind: 'actual', locale: format.locale, decimals })
  const text = (cell: Cell | undefined): string => (cell == null ? '' : String(cell))
  return (
    <Stack gap="xs">
      <ScrollableTable label={label} minWidth={400}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Date</Table.Th>
            <Table.Th>{withAccount ? 'Account' : 'Voucher'}</Table.Th>
            <Table.Th>Text</Table.Th>
            <Table.Th className="numeric">Amount</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((entry, index) => (
            <Table.Tr key={index}>
              <Table.Td className="figure">{format.date(text(entry[at.date]))}</Table.Td>
              <Table.Td className="figure">
                {withAccount ? (
                  nameOf(text(entry[at.account]))
                ) : (
                  <Anchor component="button" size="sm" onClick={() => onOpen?.(entry)}>
                    {voucherName(entry, at) || 'Open'}
                  </Anchor>
                )}
              </Table.Td>
              <Table.Td>{at.text === null ? '' : text(entry[at.text])}</Table.Td>
              <Table.Td className="numeric figure">{amount(entry)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollableTable>
      <MutedText>
        Showing {format.count(rows.length)} of {format.count(total)}. Debit positive, credit negative.
      </MutedText>
      {entries.hasNextPage && (
        <Button variant="default" loading={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Stack>
  )
}
