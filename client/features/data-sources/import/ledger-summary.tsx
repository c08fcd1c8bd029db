import { MutedText } from '../../../ui/muted-text'
import { Group, List, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconBook2, IconCircleCheck } from '@tabler/icons-react'
import { tableRowCount, fileWarningsOf } from './import-request'
import type { ImportTable } from './use-import-tables'
import { NAME_MAX_CHARS } from '../../../../src/shared/limits'
import type { FileWarning, LedgerTable } from '../../../../src/shared/data-sources/files'
import { useFormat } from '../../../lib/format'
import { formatCountOf, type Formatter } from '../../../../src/shared/figures/formatter'
import { monthOptions } from '../../../lib/regions'
import { useSession } from '../../../lib/session'

/** What a bookkeeping file holds, as a person would say it. */
export interface LedgerFile {
  fileName: string
  companies: { name: string; number: string }[]
  /** ISO dates, oldest first. */
  years: { start: string; end: string }[]
  counts: { table: LedgerTable; rows: number }[]
  /** Vouchers and years that do not add up, each with its line. */
  unbalanced: FileWarning[]
  /** True while the company and its years are still being read. */
  reading: boolean
}

const COUNTED_TABLES: readonly LedgerTable[] = [
  'accounts',
  'vouchers',
  'entries',
  'balances',
  'period_balances',
  'budgets',
]
/** Something that does not add up, told in the summary of the books. */
export const isBalanceWarning = ({ code }: FileWarning): boolean =>
  code === 'unbalanced_voucher' || code === 'unbalanced_year'

/** Shown values of some columns, by their names; '' where the file says nothing. */
function columnValues(table: ImportTable | undefined, labels: readonly string[]): string[][] {
  const inspection = table?.found.inspection
  if (!inspection) return []
  const at = labels.map((label) => inspection.columns.findIndex((column) => column.label === label))
  return inspection.typedPreview.map((row) =>
    at.map((index) => {
      const cell = row[index]
      return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : ''
    }),
  )
}

function toLedgerFile(fileName: string, tables: readonly ImportTable[]): LedgerFile {
  const of = (kind: LedgerTable) => tables.find(({ table }) => table.ledger === kind)
  const companies = of('companies')
  const years = of('fiscal_years')
  return {
    fileName,
    companies: columnValues(companies, ['name', 'org_number']).map(([name = '', number = '']) => ({ name, number })),
    years: columnValues(years, ['start', 'end'])
      .map(([start = '', end = '']) => ({ start, end }))
      .toSorted((a, b) => a.start.localeCompare(b.start)),
    counts: COUNTED_TABLES.flatMap((kind) => {
      const table = of(kind)
      const rows = table ? tableRowCount(table).count : 0
      return rows > 0 ? [{ table: kind, rows }] : []
    }),
    unbalanced: fileWarningsOf(tables).filter(isBalanceWarning),
    reading: [companies, years].some((table) => table !== undefined && table.found.inspection === null),
  }
}

/** The bookkeeping files among the tables. */
export function toLedgerFiles(tables: readonly ImportTable[]): LedgerFile[] {
  const own = tables.filter(({ table }) => table.ledger !== undefined)
  const names = [...new Set(own.map(({ fileName }) => fileName))]
  return names.map((name) =>
    toLedgerFile(
      name,
      own.filter(({ fileName }) => fileName === name),
    ),
  )
}

/** Whose books the files are, when they hold nothing else: the best name for a source. */
export function soleCompanyName(tables: readonly ImportTable[]): string | null {
  if (!tables.every(({ table }) => table.ledger !== undefined)) return null
  const names = new Set(toLedgerFiles(tables).flatMap(({ companies }) => companies.map(({ name }) => name.trim())))
  const [only = ''] = names
  return names.size === 1 && only !== '' ? only.slice(0, NAME_MAX_CHARS) : null
}

/** Shown of what does not balance; the rest is counted. */
const UNBALANCED_SHOWN = 6

const LEDGER_TABLE_NOUNS: Partial<Record<LedgerTable, string>> = {
  accounts: 'account',
  vouchers: 'voucher',
  entries: 'ledger entry',
  balances: 'balance',
  period_balances: 'period balance',
  budgets: 'budget figure',
}
function formatLedgerCount(format: Formatter, { table, rows }: LedgerFile['counts'][number], years: number): string {
  if (table === 'entries') return `${format.count(rows)} ledger ${rows === 1 ? 'entry' : 'entries'}`
  const count = formatCountOf(format, rows, LEDGER_TABLE_NOUNS[table] ?? 'row')
  // Each year has a plan of accounts of its own, mostly the same.
  return table === 'accounts' && years > 1 ? `${count} in ${format.count(years)} years` : count
}

/** Whose books these are, which years, how much is in them, and what does not add up. */
export function LedgerSummary({ ledger }: { ledger: LedgerFile }) {
  const format = useFormat()
  return (
    <section className="surface" style={{ padding: 16 }} aria-label={`Ledger in ${ledger.fileName}`}>
      <Stack gap="sm">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <IconBook2 size={24} color="var(--accent)" aria-hidden style={{ flex: 'none', marginTop: 2 }} />
          <div>
            {ledger.reading ? <Skeleton h={24} w={220} /> : <LedgerCompanies ledger={ledger} />}
            <MutedText>Ledger from {ledger.fileName}</MutedText>
          </div>
        </Group>
        <FiscalYears ledger={ledger} format={format} />
        <Group gap="6px 20px">
          {ledger.counts.map((count) => (
            <Text key={count.table} size="sm" className="figure">
              {formatLedgerCount(format, count, ledger.years.length)}
            </Text>
          ))}
        </Group>
        <BalanceCheck ledger={ledger} format={format} />
      </Stack>
    </section>
  )
}

function LedgerCompanies({ ledger: { companies } }: { ledger: LedgerFile }) {
  const [first] = companies
  if (!first) return <Title order={2}>Unnamed company</Title>
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

function FiscalYears({ ledger: { years }, format }: { ledger: LedgerFile; format: Formatter }) {
  if (years.length === 0) return null
  return (
    <div>
      <Text size="sm">
        <strong>{formatCountOf(format, years.length, 'fiscal year')}:</strong>{' '}
        {years.map(({ start, end }) => `${format.date(start)} – ${format.date(end)}`).join(' · ')}
      </Text>
      <OtherFiscalYear years={years} />
    </div>
  )
}

const monthName = (month: number): string => monthOptions()[month - 1]?.label ?? ''

/** That figures per fiscal year would be of other months than those of the books. */
function OtherFiscalYear({ years }: Pick<LedgerFile, 'years'>) {
  const own = useSession().workspace?.settings.fiscalYearStart
  const start = Number(years.at(-1)?.start.slice(5, 7))
  if (own === undefined || !start || start === own) return null
  return (
    <MutedText>
      They start in {monthName(start)}, this workspace’s in {monthName(own)}. Change it in the workspace settings.
    </MutedText>
  )
}

function BalanceCheck({ ledger: { unbalanced, reading }, format }: { ledger: LedgerFile; format: Formatter }) {
  if (reading) return null
  if (unbalanced.length === 0)
    return (
      <Group gap={8} wrap="nowrap">
        <IconCircleCheck size={18} color="var(--good)" aria-hidden style={{ flex: 'none' }} />
        <Text size="sm">Balanced</Text>
      </Group>
    )
  return (
    <Group gap={8} wrap="nowrap" align="flex-start">
      <IconAlertTriangle size={18} color="var(--warn)" aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <div>
        <Text size="sm" fw={550}>
          {formatCountOf(format, unbalanced.length, 'imbalance')}, imported as in the file
        </Text>
        <List size="sm" spacing={2}>
          {unbalanced.slice(0, UNBALANCED_SHOWN).map(({ message, line }) => (
            <List.Item key={`${message}:${line ?? ''}`}>
              {message}
              {line !== undefined && !/\bline\b/i.test(message) && ` Line ${format.count(line)}.`}
            </List.Item>
          ))}
        </List>
        {unbalanced.length > UNBALANCED_SHOWN && (
          <MutedText>and {format.count(unbalanced.length - UNBALANCED_SHOWN)} more</MutedText>
        )}
      </div>
    </Group>
  )
}
