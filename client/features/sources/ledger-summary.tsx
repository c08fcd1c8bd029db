import { Group, List, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconBook2, IconCircleCheck } from '@tabler/icons-react'
import { countOf } from './amounts'
import type { Ledger } from './ledger'
import { useFormat } from '../../lib/format'
import type { Formatter } from '../../lib/format'
import type { LedgerTable } from '../../../src/shared/files'

/** Shown of what does not balance; the rest is counted. */
const SHOWN = 6

const NOUNS: Partial<Record<LedgerTable, string>> = {
  accounts: 'account',
  vouchers: 'voucher',
  entries: 'ledger entry',
  balances: 'balance',
  period_balances: 'period balance',
  budgets: 'budget figure',
}
const plural = (format: Formatter, rows: number, table: LedgerTable): string =>
  table === 'entries'
    ? `${format.count(rows)} ledger ${rows === 1 ? 'entry' : 'entries'}`
    : countOf(format, rows, NOUNS[table] ?? 'row')

/** Whose books these are, which years, how much is in them, and what does not add up. */
export function LedgerSummary({ ledger }: { ledger: Ledger }) {
  const format = useFormat()
  return (
    <section className="surface" style={{ padding: 16 }} aria-label={`Bookkeeping in ${ledger.fileName}`}>
      <Stack gap="sm">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <IconBook2 size={24} color="var(--accent)" aria-hidden style={{ flex: 'none', marginTop: 2 }} />
          <div>
            {ledger.reading ? <Skeleton h={24} w={220} /> : <Companies ledger={ledger} />}
            <Text size="sm" c="dimmed">
              Bookkeeping from {ledger.fileName}
            </Text>
          </div>
        </Group>
        <Years ledger={ledger} format={format} />
        <Group gap="6px 20px">
          {ledger.counts.map(({ table, rows }) => (
            <Text key={table} size="sm" className="figure">
              {plural(format, rows, table)}
            </Text>
          ))}
        </Group>
        <Balance ledger={ledger} format={format} />
      </Stack>
    </section>
  )
}

function Companies({ ledger: { companies } }: { ledger: Ledger }) {
  const [first] = companies
  if (!first) return <Title order={2}>A company without a name</Title>
  return (
    <Title order={2}>
      {companies.map(({ name, number }) => name || number).join(', ')}
      {companies.length === 1 && first.number !== '' && first.name !== '' && first.number !== first.name && (
        <Text span size="sm" c="dimmed" ml={8} fw={400}>
          {first.number}
        </Text>
      )}
    </Title>
  )
}

function Years({ ledger: { years }, format }: { ledger: Ledger; format: Formatter }) {
  if (years.length === 0) return null
  return (
    <Text size="sm">
      <strong>{countOf(format, years.length, 'fiscal year')}:</strong>{' '}
      {years.map(({ start, end }) => `${format.date(start)} – ${format.date(end)}`).join(' · ')}
    </Text>
  )
}

function Balance({ ledger: { unbalanced, reading }, format }: { ledger: Ledger; format: Formatter }) {
  if (reading) return null
  if (unbalanced.length === 0)
    return (
      <Group gap={8} wrap="nowrap">
        <IconCircleCheck size={18} color="var(--good)" aria-hidden style={{ flex: 'none' }} />
        <Text size="sm">Everything balances.</Text>
      </Group>
    )
  return (
    <Group gap={8} wrap="nowrap" align="flex-start">
      <IconAlertTriangle size={18} color="var(--warn)" aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <div>
        <Text size="sm" fw={550}>
          {unbalanced.length === 1 ? 'One thing does' : `${format.count(unbalanced.length)} things do`} not balance. It
          is loaded as it stands in the file.
        </Text>
        <List size="sm" spacing={2}>
          {unbalanced.slice(0, SHOWN).map(({ message, line }) => (
            <List.Item key={`${message}:${line ?? ''}`}>
              {message}
              {line !== undefined && !/\bline\b/i.test(message) && ` Line ${format.count(line)}.`}
            </List.Item>
          ))}
        </List>
        {unbalanced.length > SHOWN && (
          <Text size="sm" c="dimmed">
            and {format.count(unbalanced.length - SHOWN)} more
          </Text>
        )}
      </div>
    </Group>
  )
}
