import { Badge, Button, Group, Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { BillingUnavailable } from './billing-away'
import { invoiceStateLabel } from './invoice-words'
import { invoicesQuery } from './queries'
import classes from './subscription.module.css'
import { MISSING_VALUE, useFormat } from '../../lib/format'
import { useMoney } from '../../lib/money'
import { SectionCard } from '../../ui/section-card'
import { TableSkeleton } from '../../ui/skeletons'
import type { InvoiceView } from '../../../src/shared/subscription'

/** Every invoice, newest first, with its page and its file. */
export function InvoicesCard() {
  const list = useInfiniteQuery(invoicesQuery())
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <SectionCard title="Invoices">
      {list.error && <BillingUnavailable error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <TableSkeleton count={3} />}
      {items.length > 0 && <InvoicesTable invoices={items} />}
      {list.data && items.length === 0 && (
        <Text size="sm" c="dimmed">
          There are none yet. Each one is listed here with its file as soon as it is made.
        </Text>
      )}
      {list.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </SectionCard>
  )
}

function InvoicesTable({ invoices }: { invoices: readonly InvoiceView[] }) {
  return (
    <Table className={classes.table} aria-label="Invoices">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Number</Table.Th>
          <Table.Th>Date</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th>Due</Table.Th>
          <Table.Th className="numeric">Total</Table.Th>
          <Table.Th>
            <span className="only-reader">Page and file</span>
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
      <Table.Th scope="row">{invoice.number ?? 'Not numbered yet'}</Table.Th>
      <Table.Td data-label="Date">{format.day(invoice.issuedAt)}</Table.Td>
      <Table.Td data-label="State">
        <Badge color={tone} {...(tone === 'gray' ? { variant: 'default' } : {})}>
          {word}
        </Badge>
      </Table.Td>
      <Table.Td data-label="Due">{describeDue(invoice, format.day)}</Table.Td>
      <Table.Td data-label="Total" className="numeric">
        <span className="figure">{money(invoice.total, { column: true })}</span>
        {isPart && (
          <Text size="xs" c="dimmed" span display="block">
            {money(invoice.due, { column: true })} to pay
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="See it">
        <InvoiceLinks invoice={invoice} />
      </Table.Td>
    </Table.Tr>
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
