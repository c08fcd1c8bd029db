import { MutedText } from '../../../ui/muted-text'
import { ShowMore } from '../../../ui/buttons/show-more'
import { Alert, Button, Group, Text, Badge, Table, Skeleton, Stack } from '@mantine/core'
import { IconPlugConnectedX, IconRefresh } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { BadgeTone } from './subscription-status'
import type { InvoiceView, UpcomingInvoice } from '../../../../src/shared/billing/subscription'
import { describeError } from '../../../lib/describe-error'
import { invoicesQuery, upcomingQuery } from './queries'
import classes from './subscription.module.css'
import cards from '../../../ui/card-table.module.css'
import { MISSING_VALUE, useFormat } from '../../../lib/format'
import { useMoney } from '../../../lib/money'
import { TERMS } from '../../../../src/shared/terms'
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
      {items.length > 0 && <InvoicesTable invoices={items} />}
      {list.data && items.length === 0 && <MutedText>No invoices yet</MutedText>}
      <ShowMore query={list} />
    </SectionCard>
  )
}

function InvoicesTable({ invoices }: { invoices: readonly InvoiceView[] }) {
  return (
    <Table className={`${cards.table} ${classes.table}`} aria-label="Invoices">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Number</Table.Th>
          <Table.Th>Date</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Due date</Table.Th>
          <Table.Th className="numeric">Total</Table.Th>
          <Table.Th>
            <span className="only-reader">Actions</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {invoices.map((invoice) => (
          <InvoiceRow key={invoice.id} invoice={invoice} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function InvoiceRow({ invoice }: { invoice: InvoiceView }) {
  const format = useFormat()
  const money = useMoney()
  const { word, tone } = invoiceStateLabel(invoice)
  const isPart = invoice.due.minor > 0 && invoice.due.minor !== invoice.total.minor
  return (
    <Table.Tr>
      <Table.Th scope="row">
        {invoice.number ?? 'No number yet'}
        {invoice.reverseCharge && <ReverseChargeNote {...invoice.reverseCharge} />}
      </Table.Th>
      <Table.Td data-label="Date">{format.day(invoice.issuedAt)}</Table.Td>
      <Table.Td data-label="Status">
        <Badge color={tone} {...(tone === 'gray' ? { variant: 'default' } : {})}>
          {word}
        </Badge>
      </Table.Td>
      <Table.Td data-label="Due date">{describeDue(invoice, format.day)}</Table.Td>
      <Table.Td data-label="Total" className="numeric">
        <span className="figure">{money(invoice.total)}</span>
        {isPart && (
          <Text size="xs" c="dimmed" span display="block">
            {money(invoice.due)} due
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Actions">
        <InvoiceLinks invoice={invoice} />
      </Table.Td>
    </Table.Tr>
  )
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
