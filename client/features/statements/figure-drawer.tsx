import { Anchor, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { EntryList } from './entry-list'
import {
  accountEntriesPlan,
  entryScope,
  voucherName,
  voucherPlan,
  type EntryColumns,
  type EntryScope,
} from './drill-plans'
import type { ChosenFigure } from '../../ui/statement/statement-table'
import { formulaText } from './formula-text'
import type { StatementChoice } from './queries'
import { useFormat } from '../../lib/format'
import { SideDrawer } from '../../ui/dialog'
import { MutedText } from '../../ui/muted-text'
import { columnKeySchema } from '../../../src/shared/data-sources/files'
import type { Cell } from '../../../src/shared/query/result'
import { NO_OBJECT, type Statement, type StatementLanguage } from '../../../src/shared/statements/statements'
import { columnName, groupName, statementFigure } from '../../../src/shared/statements/words'

interface FigureDrawerProps {
  statement: Statement
  language: StatementLanguage
  choice: StatementChoice
  /** Null closes it. */
  figure: ChosenFigure | null
  onClose: () => void
}

/** What is behind a figure: how it is worked out, its accounts, their entries, the voucher of each. */
export function FigureDrawer({ figure, onClose, ...rest }: FigureDrawerProps) {
  return (
    <SideDrawer
      opened={figure !== null}
      onClose={onClose}
      position="right"
      size="min(760px, 100%)"
      title={<Text fw={600}>{figure?.row.label[rest.language]}</Text>}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {figure && (
        <FigureDetails
          key={`${figure.row.key} ${figure.column} ${figure.account?.account ?? ''}`}
          figure={figure}
          {...rest}
        />
      )}
    </SideDrawer>
  )
}

type Details = Omit<FigureDrawerProps, 'figure' | 'onClose'> & { figure: ChosenFigure }
interface Voucher {
  entry: readonly Cell[]
  at: EntryColumns
}

function FigureDetails({ statement, language, choice, figure }: Details) {
  const [account, setAccount] = useState(figure.account?.account ?? null)
  const [voucher, setVoucher] = useState<Voucher | null>(null)
  const column = statement.columns[figure.column]
  const scope = scopeOf(statement, choice, figure)
  const named = figure.row.accounts?.find((one) => one.account === account)
  const selectAccount = (to: string | null): void => {
    setVoucher(null)
    setAccount(to)
  }
  return (
    <Stack gap="sm">
      <MutedText>
        {column && `${groupName(column, language, statement)} · ${columnName(column.kind, language)}`}
      </MutedText>
      {account === null ? (
        <AccountList {...{ statement, language, figure }} onSelect={scope ? selectAccount : null} />
      ) : (
        <>
          <Group gap={6}>
            <Anchor component="button" size="sm" onClick={() => selectAccount(null)}>
              {figure.row.label[language]}
            </Anchor>
            <Text span size="sm" aria-hidden>
              ›
            </Text>
            <AccountTitle
              account={account}
              name={named?.name ?? null}
              onBack={voucher ? () => setVoucher(null) : null}
            />
            {voucher && (
              <Text span size="sm">
                › Voucher {voucherName(voucher.entry, voucher.at)}
              </Text>
            )}
          </Group>
          {scope ? <Entries {...{ scope, account, voucher, statement }} onVoucher={setVoucher} /> : <NoVouchers />}
        </>
      )}
    </Stack>
  )
}

function AccountTitle({
  account,
  name,
  onBack,
}: {
  account: string
  name: string | null
  onBack: (() => void) | null
}) {
  const title = name === null ? account : `${account} ${name}`
  if (!onBack)
    return (
      <Text span size="sm">
        {title}
      </Text>
    )
  return (
    <Anchor component="button" size="sm" onClick={onBack}>
      {title}
    </Anchor>
  )
}

/** Entries that a figure can be taken apart into; null where a column is no sum of entries, or none are loaded. */
function scopeOf(
  statement: Statement,
  { dimension, object: chosen }: StatementChoice,
  { column, row }: ChosenFigure,
): EntryScope | null {
  const shown = statement.columns[column]
  if (!shown || !['actual', 'lastYear', 'debit', 'credit', 'change', 'closing'].includes(shown.kind)) return null
  const years = statement.years.filter(
    ({ start, end }) => start.slice(0, 7) <= shown.span.to && shown.span.from <= end.slice(0, 7),
  )
  if (years.length === 0 || years.some(({ detail }) => detail !== 'entries')) return null
  const key = columnKeySchema.safeParse(dimension)
  const object = shown.object === '' ? NO_OBJECT : (shown.object ?? chosen)
  return entryScope(statement, {
    column,
    fromYearStart: row.how.kind === 'accounts' && row.how.of === 'closing',
    dimension: statement.kind === 'income' && key.success && object !== undefined ? { key: key.data, object } : null,
  })
}

interface AccountListProps extends Pick<Details, 'statement' | 'language' | 'figure'> {
  onSelect: ((account: string) => void) | null
}
/** How a figure is worked out, and the accounts that it adds up. */
function AccountList({ statement, language, figure: { row, column }, onSelect }: AccountListProps) {
  const { locale } = useFormat()
  const kind = statement.columns[column]?.kind ?? 'actual'
  const write = (value: string | null) =>
    statementFigure(value, { format: row.format, kind, locale, decimals: statement.decimals })
  const accounts = (row.accounts ?? []).filter(({ values }) => Number(values[column] ?? 0) !== 0)
  return (
    <>
      <Text size="xl" fw={620} className="figure">
        {write(row.values[column] ?? null)}
      </Text>
      <Text size="sm">{formulaText(row.how, { language, kind })}</Text>
      {row.how.kind === 'lines' && (
        <Table aria-label="Lines" fz="sm">
          <Table.Tbody>
            {row.how.terms.map(({ key, sign, label }) => (
              <Table.Tr key={key}>
                <Table.Td>
                  {sign < 0 ? '− ' : ''}
                  {label[language]}
                </Table.Td>
                <Table.Td className="numeric figure">
                  {write(statement.rows.find((line) => line.key === key)?.values[column] ?? null)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {accounts.length > 0 && (
        <Table aria-label="Accounts" fz="sm">
          <Table.Tbody>
            {accounts.map(({ account, name, values }) => (
              <Table.Tr key={account}>
                <Table.Td w={70}>
                  {onSelect ? (
                    <Anchor
                      component="button"
                      size="sm"
                      aria-label={`Entries of ${account}`}
                      onClick={() => onSelect(account)}
                    >
                      {account}
                    </Anchor>
                  ) : (
                    account
                  )}
                </Table.Td>
                <Table.Td>{name}</Table.Td>
                <Table.Td className="numeric figure">{write(values[column] ?? null)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {accounts.length > 0 && !onSelect && <NoVouchers />}
    </>
  )
}

const NoVouchers = () => <MutedText>No vouchers for this figure.</MutedText>

interface EntriesProps {
  scope: EntryScope
  account: string
  voucher: Voucher | null
  statement: Statement
  onVoucher: (voucher: Voucher) => void
}
function Entries({ scope, account, voucher, statement, onVoucher }: EntriesProps) {
  const { decimals } = statement
  if (voucher) {
    const { plan, at } = voucherPlan(scope, voucher.entry)
    const names = statement.accountNames
    return <EntryList {...{ plan, at, decimals, names }} label="Voucher entries" onOpen={null} />
  }
  const { plan, at } = accountEntriesPlan(scope, account)
  return (
    <EntryList
      {...{ plan, at, decimals }}
      label={`Entries of ${account}`}
      onOpen={(entry) => onVoucher({ entry, at })}
    />
  )
}
