import { MutedText } from '../../../ui/muted-text'
import { Alert, Button, Group, Text, Badge, Table, Skeleton, Stack } from '@mantine/core'
import { IconPlugConnectedX, IconRefresh } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { BadgeTone } from './subscription-status'
import type { InvoiceView, UpcomingInvoice } from '../../../../src/shared/billing/subscription'
import { describeError } from '../../../lib/describe-error'
import { invoicesQuery, upcomingQuery } from './queries'
import { useFormat } from '../../../lib/format'
import { MISSING_VALUE } from '../../../../src/shared/figures/figures'
import { useMoney } from '../../../lib/money'
import { TERMS } from '../../../../src/shared/terms'
import type { ItemColumn } from '../../../ui/data-table/item-column'
import { ItemTable } from '../../../ui/data-table/item-table'
import { pagedItems, type PagedItems } from '../../../ui/data-table/paged-items'
import { SectionCard } from '../../../ui/section-card'
import { TableSkeleton } from '../../../ui/skeletons'

const STATE_LABELS: Record<InvoiceView['state'], { word: string; tone: BadgeTone }> = {
  draft: { word: 'Draft', tone: 'gray' },
  open: { word: 'Due', tone: 'yellow' },
  paid: { word: 'Paid', tone: 'green' },
  void: { word: 'Void', tone: 'gray' },
  uncollectible: { word: 'Uncollectible', tone: 'red' },
}
const invoiceStateLabel = ({ state, overdue }: Pick<InvoiceView, 'state' | 'overdue'>) =>
  overdue ? { word: 'Overdue', tone: 'red' as const } : STATE_LABELS[state]

/** The invoice to pay first: overdue ones, then the one due first; undefined when none waits. */
export const firstPayableInvoice = (invoices: readonly InvoiceView[]): (InvoiceView & { url: string }) | undefined =>
  invoices
    .filter((invoice): invoice is InvoiceView & { url: string } => isPayable(invoice))
    .toSorted((a, b) => Number(b.overdue) - Number(a.overdue) || dueTime(a) - dueTime(b))[0]

const isPayable = ({ state, due, url }: InvoiceView): boolean => state === 'open' && due.minor > 0 && url !== null
const dueTime = ({ dueAt, issuedAt }: InvoiceView): number => Date.parse(dueAt ?? issuedAt)

/** One part of the page cannot be read; everything else is shown. */
function BillingUnavailable({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { title, advice } = describeError(error)
  return (
    <Alert color="yellow" icon={<IconPlugConnectedX aria-hidden />} title={title} role="alert">
      <Group justify="space-between" gap="sm">
        <Text size="sm">{advice}</Text>
        <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
          Try again
        </Button>
      </Group>
    </Alert>
  )
}

/** Every invoice, newest first, with its page and its file. */
export function InvoicesCard() {
  const list = useInfiniteQuery(invoicesQuery())
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <SectionCard title="Invoices">
      {list.error && <BillingUnavailable error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <TableSkeleton count={3} />}
      {items.length > 0 && <InvoicesTable invoices={items} paged={pagedItems(list, (page) => page.items)} />}
      {list.data && items.length === 0 && <MutedText>No invoices yet</MutedText>}
    </SectionCard>
  )
}

interface InvoicesTableProps {
  invoices: readonly InvoiceView[]
  paged: PagedItems<InvoiceView>
}

function InvoicesTable({ invoices, paged }: InvoicesTableProps) {
  const format = useFormat()
  const columns: ItemColumn<InvoiceView>[] = [
    {
      ...{ label: 'Number', value: ({ number }) => number ?? 'No number yet', filter: true },
      draw: ({ number, reverseCharge }) => (
        <>
          {number ?? 'No number yet'}
          {reverseCharge && <ReverseChargeNote {...reverseCharge} />}
        </>
      ),
    },
    {
      ...{ label: 'Date', kind: 'date', value: ({ issuedAt }) => issuedAt },
      text: ({ issuedAt }) => format.day(issuedAt),
    },
    {
      ...{ label: 'Status', filter: true, value: (invoice) => invoiceStateLabel(invoice).word },
      draw: (invoice) => <InvoiceStateBadge invoice={invoice} />,
    },
    {
      ...{ label: 'Due date', kind: 'date', value: ({ paidAt, dueAt }) => paidAt ?? dueAt },
      text: (invoice) => describeDue(invoice, format.day),
    },
    useTotalColumn(),
  ]
  return (
    <ItemTable
      caption="Invoices"
      items={invoices}
      itemKey={({ id }) => id}
      columns={columns}
      action={{ label: 'Actions', cell: (invoice) => <InvoiceLinks invoice={invoice} /> }}
      paged={paged}
    />
  )
}

function InvoiceStateBadge({ invoice }: { invoice: InvoiceView }) {
  const { word, tone } = invoiceStateLabel(invoice)
  return (
    <Badge color={tone} {...(tone === 'gray' ? { variant: 'default' } : {})}>
      {word}
    </Badge>
  )
}

/** The whole amount, and what of it is due where that is a part. */
function useTotalColumn(): ItemColumn<InvoiceView> {
  const money = useMoney()
  return {
    ...{ label: 'Total', kind: 'number', value: ({ total }) => total.minor, text: ({ total }) => money(total) },
    draw: ({ due, total }) => (
      <>
        {money(total)}
        {due.minor > 0 && due.minor !== total.minor && (
          <Text size="xs" c="dimmed" span display="block">
            {money(due)} due
          </Text>
        )}
      </>
    ),
  }
}

/** Who pays the VAT, with the numbers that stand on the invoice. */
function ReverseChargeNote({ sellerVatNumber, customerVatNumber }: NonNullable<InvoiceView['reverseCharge']>) {
  const numbers = [
    sellerVatNumber === null ? null : `Our VAT number: ${sellerVatNumber}`,
    customerVatNumber === null ? null : `Yours: ${customerVatNumber}`,
  ].filter((words) => words !== null)
  return (
    <Text size="xs" c="dimmed" fw={400} span display="block">
      Reverse charge: VAT to be paid by the customer
      {numbers.length > 0 && (
        <Text size="xs" span display="block">
          {numbers.join(' · ')}
        </Text>
      )}
    </Text>
  )
}

const describeDue = ({ paidAt, dueAt, state }: InvoiceView, day: (instant: string) => string): string => {
  if (paidAt !== null) return `Paid ${day(paidAt)}`
  return dueAt === null || state === 'void' ? MISSING_VALUE : day(dueAt)
}

function InvoiceLinks({ invoice: { number, url, pdf, state } }: { invoice: InvoiceView }) {
  const named = number ?? 'without a number'
  const links = [
    { href: url, words: state === 'open' ? 'Pay' : 'Open', label: state === 'open' ? 'Pay invoice' : 'Open invoice' },
    { href: pdf, words: 'PDF', label: 'PDF of invoice' },
  ]
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {links.map(
        ({ href, words, label }) =>
          href !== null && (
            <Button
              key={words}
              component="a"
              href={href}
              target="_blank"
              rel="noopener noreferrer"
              variant="subtle"
              size="compact-sm"
              aria-label={`${label} ${named}`}
            >
              {words}
            </Button>
          ),
      )}
    </Group>
  )
}

/** What is charged next, and of what it is made. */
export function UpcomingCard() {
  const { data, error, refetch } = useQuery(upcomingQuery())
  return (
    <SectionCard title="Next invoice">
      {data ? (
        <Stack gap="lg">
          <UpcomingTable upcoming={data} label="Next invoice" />
          {data.beside && <UpcomingTable upcoming={data.beside} label="Next Premium sync invoice" />}
        </Stack>
      ) : data === null ? (
        <MutedText>No upcoming charges</MutedText>
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
              {money(line.amount)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
      <Table.Tfoot>
        <Table.Tr>
          <Table.Th pl={0} scope="row">
            Total, {TERMS.excludingVat}, {format.day(upcoming.at)}
          </Table.Th>
          <Table.Th pr={0} className="numeric figure">
            {money(upcoming.total)}
          </Table.Th>
        </Table.Tr>
      </Table.Tfoot>
    </Table>
  )
}
