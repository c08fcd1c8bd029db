import { Skeleton, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { BillingUnavailable } from './billing-away'
import { upcomingQuery } from './queries'
import { useFormat } from '../../lib/format'
import { useMoney } from '../../lib/money'
import { SectionCard } from '../../ui/section-card'
import type { UpcomingInvoice } from '../../../src/shared/subscription'

/** What is charged next, and of what it is made. */
export function UpcomingCard() {
  const { data, error, refetch } = useQuery(upcomingQuery())
  return (
    <SectionCard title="Next invoice">
      {data ? (
        <Stack gap="lg">
          <UpcomingTable upcoming={data} label="Next invoice" />
          {data.beside && <UpcomingTable upcoming={data.beside} label="Next invoice of Premium sync" />}
        </Stack>
      ) : data === null ? (
        <Text size="sm" c="dimmed">
          Nothing is going to be charged.
        </Text>
      ) : error ? (
        <BillingUnavailable error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton h={64} aria-hidden="true" />
      )}
    </SectionCard>
  )
}

function UpcomingTable({ upcoming, label }: { upcoming: UpcomingInvoice; label: string }) {
  const format = useFormat()
  const money = useMoney()
  return (
    <Table aria-label={label} layout="auto">
      <Table.Tbody>
        {upcoming.lines.map((line, index) => (
          // The lines of an invoice have no names of their own, and do not move.
          <Table.Tr key={index}>
            <Table.Td pl={0}>{line.text}</Table.Td>
            <Table.Td pr={0} className="numeric figure">
              {money(line.amount, { column: true })}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
      <Table.Tfoot>
        <Table.Tr>
          <Table.Th pl={0} scope="row">
            Total on {format.day(upcoming.at)}
          </Table.Th>
          <Table.Th pr={0} className="numeric figure">
            {money(upcoming.total, { column: true })}
          </Table.Th>
        </Table.Tr>
      </Table.Tfoot>
    </Table>
  )
}
