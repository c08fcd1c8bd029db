import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { Fragment, useRef, useState, type KeyboardEvent } from 'react'
import classes from './statement-table.module.css'
import { useHiddenEdges } from '../data-table/hidden-edges'
import { useFormat } from '../../lib/format'
import type {
  Statement,
  StatementAccount,
  StatementColumn,
  StatementLanguage,
  StatementRow,
} from '../../../src/shared/statements/statements'
import { columnName, groupName, statementFigure } from '../../../src/shared/statements/words'

/** A figure of a line, or of one of its accounts. */
export interface ChosenFigure {
  row: StatementRow
  column: number
  account: StatementAccount | null
}

interface StatementTableProps {
  statement: Statement
  language: StatementLanguage
  /** What it is called, for readers of the screen. */
  name: string
  /** Accounts are unfolded at the start. */
  withAccounts?: boolean
  /** Absent: figures lead nowhere, as on paper. */
  onChoose?: ((figure: ChosenFigure) => void) | undefined
}

/** A statement as accountants write it: lines under headings, sums above rules, figures that open what is behind them. */
export function StatementTable(props: StatementTableProps) {
  const { statement, language, name, withAccounts = false, onChoose } = props
  const [open, setOpen] = useState<ReadonlySet<string>>(
    // A trial balance is a list of accounts.
    () => new Set(withAccounts || statement.kind === 'trial' ? statement.rows.map(({ key }) => key) : []),
  )
  const table = useRef<HTMLTableElement>(null)
  const toggle = (key: string): void => setOpen((before) => toggled(before, key))
  const first = statement.rows.find(({ values }) => values.some((value) => value !== null))
  const frame = useRef<HTMLDivElement>(null)
  const { edges, onScroll } = useHiddenEdges(frame)
  return (
    <section className={`surface ${classes.box}`} aria-label={name} data-more-right={edges.right || undefined}>
      <div ref={frame} className={classes.frame} tabIndex={0} role="group" aria-label={name} onScroll={onScroll}>
        <table
          ref={table}
          lang={language}
          className={classes.table}
          onKeyDown={(event) => moveFocus(event, table.current)}
        >
          <caption className="only-reader">{name}</caption>
          <StatementHead statement={statement} language={language} />
          <tbody>
            {statement.rows.map((row) => (
              <Fragment key={row.key}>
                <Line
                  {...{ statement, language, row, onChoose }}
                  isFirst={row === first}
                  isOpen={open.has(row.key)}
                  onToggle={() => toggle(row.key)}
                />
                {open.has(row.key) &&
                  row.accounts?.map((account) => (
                    <AccountLine key={account.account} {...{ statement, row, account, onChoose }} />
                  ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys)
  if (!next.delete(key)) next.add(key)
  return next
}

/** Arrow keys go from figure to figure; one of them can be reached by Tab. */
function moveFocus(event: KeyboardEvent, table: HTMLTableElement | null): void {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key]
  const at = event.target instanceof HTMLElement ? event.target.closest('td') : null
  if (!step || !at || !table) return
  const rows = [...table.querySelectorAll('tbody tr')].filter((row) => row.querySelector('td button'))
  const row = rows.findIndex((one) => one.contains(at))
  const column = [...(rows[row]?.querySelectorAll('td') ?? [])].indexOf(at)
  const [down = 0, right = 0] = step
  // Figures that are not known have no button: the next one beyond them.
  let next: HTMLButtonElement | null | undefined = null
  for (let far = 1; next === null; far++) {
    const cell = rows[row + far * down]?.querySelectorAll('td')[column + far * right]
    next = cell ? cell.querySelector('button') : undefined
  }
  if (!next) return
  event.preventDefault()
  next.focus()
}

interface Group {
  column: StatementColumn
  count: number
}
function groupsOf(columns: readonly StatementColumn[]): Group[] {
  const groups: Group[] = []
  for (const column of columns) {
    const last = groups.at(-1)
    if (last?.column.group === column.group) last.count += 1
    else groups.push({ column, count: 1 })
  }
  return groups
}
const isFirstOfGroup = (columns: readonly StatementColumn[], at: number): boolean =>
  at > 0 && columns[at - 1]?.group !== columns[at]?.group && columns.some(({ kind }) => kind !== 'actual')

function StatementHead({ statement, language }: Pick<StatementTableProps, 'statement' | 'language'>) {
  const { columns } = statement
  const hasKinds = columns.some(({ kind }) => kind !== 'actual')
  return (
    <thead>
      <tr>
        <th scope="col" rowSpan={hasKinds ? 2 : 1} className={classes.label}>
          <span className="only-reader">Line</span>
        </th>
        {groupsOf(columns).map(({ column, count }) => (
          <th
            key={column.key}
            scope="colgroup"
            colSpan={count}
            className={`${hasKinds ? classes.group : ''} ${isFirstOfGroup(columns, columns.indexOf(column)) ? classes.first : ''}`}
          >
            {groupName(column, language, statement)}
          </th>
        ))}
      </tr>
      {hasKinds && (
        <tr>
          {columns.map(({ key, kind }, at) => (
            <th key={key} scope="col" className={isFirstOfGroup(columns, at) ? classes.first : undefined}>
              {columnName(kind, language)}
            </th>
          ))}
        </tr>
      )}
    </thead>
  )
}

interface LineProps extends Omit<StatementTableProps, 'name'> {
  row: StatementRow
  isFirst: boolean
  isOpen: boolean
  onToggle: () => void
}

function Line({ statement, language, row, isFirst, isOpen, onToggle, onChoose }: LineProps) {
  const label = row.label[language]
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <tr data-style={row.style}>
      <th scope="row" className={classes.label} data-level={row.level}>
        <span className={classes.name}>
          {row.accounts && row.accounts.length > 0 && (
            <ActionIcon
              className={row.level === 0 ? undefined : classes.toggle}
              variant="subtle"
              color="gray"
              size={20}
              aria-expanded={isOpen}
              aria-label={`${isOpen ? 'Hide' : 'Show'} accounts of ${label}`}
              onClick={onToggle}
            >
              <Chevron size={14} aria-hidden />
            </ActionIcon>
          )}
          {label}
        </span>
      </th>
      {row.style === 'heading' ? (
        <td colSpan={statement.columns.length} />
      ) : (
        <Figures
          {...{ statement, row, values: row.values, label, isFirst }}
          onChoose={onChoose && ((column) => onChoose({ row, column, account: null }))}
        />
      )}
    </tr>
  )
}

interface AccountLineProps extends Pick<StatementTableProps, 'statement' | 'onChoose'> {
  row: StatementRow
  account: StatementAccount
}
function AccountLine({ statement, row, account, onChoose }: AccountLineProps) {
  const label = account.name === null ? account.account : `${account.account} ${account.name}`
  return (
    <tr data-account>
      <th scope="row" className={classes.label} data-level={2}>
        {label}
      </th>
      <Figures
        {...{ statement, row, values: account.values, label, isFirst: false }}
        onChoose={onChoose && ((column) => onChoose({ row, column, account }))}
      />
    </tr>
  )
}

/** Columns that stand back behind the figures themselves. */
const COMPARISONS: ReadonlySet<StatementColumn['kind']> = new Set([
  ...(['lastYear', 'lastYearChange', 'lastYearPercent', 'budget', 'budgetVariance', 'budgetPercent'] as const),
])

interface FiguresProps {
  statement: Statement
  row: StatementRow
  values: readonly (string | null)[]
  label: string
  isFirst: boolean
  onChoose: ((column: number) => void) | undefined
}
function Figures({ statement, row, values, label, isFirst, onChoose }: FiguresProps) {
  const { locale } = useFormat()
  const { columns, decimals } = statement
  const first = isFirst ? values.findIndex((value) => value !== null) : -1
  return columns.map((column, at) => {
    const value = values[at] ?? null
    const text = statementFigure(value, { format: row.format, kind: column.kind, locale, decimals })
    const className = isFirstOfGroup(columns, at) ? classes.first : undefined
    return (
      <td key={column.key} className={className} data-quiet={COMPARISONS.has(column.kind) || undefined}>
        {value === null || !onChoose ? (
          text
        ) : (
          <UnstyledButton
            className={classes.figure}
            tabIndex={at === first ? 0 : -1}
            aria-label={`${label}: ${text}`}
            onClick={() => onChoose(at)}
          >
            {text}
          </UnstyledButton>
        )}
      </td>
    )
  })
}
