import type { XlsxCell, XlsxLookedRow, XlsxSheet } from '../../formats/workbook/xlsx-writer'
import type { CellLook } from '../../formats/workbook/xlsx-parts'
import {
  STATEMENT_NAMES,
  type Statement,
  type StatementAccount,
  type StatementColumn,
  type StatementLanguage,
  type StatementRow,
  type StatementValue,
} from '../../shared/statements/statements'
import {
  columnName,
  groupName,
  isShareColumn,
  noticeText,
  spanName,
  statementFigure,
  statementNumberFormat,
} from '../../shared/statements/words'

const LABEL_WIDTH = 46
const FIGURE_WIDTH = 16
/** More columns than these are printed across. */
const PORTRAIT_COLUMNS = 5

const WORDS = {
  year: { en: 'Fiscal year', sv: 'Räkenskapsår' },
  period: { en: 'Period', sv: 'Period' },
  currency: { en: 'Currency', sv: 'Valuta' },
  made: { en: 'Exported', sv: 'Skapad' },
  source: { en: 'Source', sv: 'Källa' },
  note: { en: 'Note', sv: 'Anmärkning' },
} as const

/** A statement as a sheet: its head says whose it is, of which year, when it was made (`made`) and what is missing. */
export const statementSheet = (
  statement: Statement,
  { made, ...options }: { language: StatementLanguage; locale: string; made: string },
): XlsxSheet => new StatementSheet(statement, options).sheet(made)

class StatementSheet {
  readonly #statement: Statement
  readonly #language: StatementLanguage
  readonly #locale: string
  /** Looks by what they say, so that equal ones are one style of the workbook. */
  readonly #looks = new Map<string, CellLook>()

  constructor(statement: Statement, { language, locale }: { language: StatementLanguage; locale: string }) {
    this.#statement = statement
    this.#language = language
    this.#locale = locale
  }

  sheet(made: string): XlsxSheet {
    const { columns, kind } = this.#statement
    const head = [...this.#head(made), ...this.#columnHeads()]
    const rows = [...head, ...this.#statement.rows.flatMap((row) => this.#line(row))]
    return {
      name: STATEMENT_NAMES[kind][this.#language],
      columns: [{ width: LABEL_WIDTH }, ...columns.map(() => ({ width: FIGURE_WIDTH }))],
      rows,
      looks: [...this.#looks.values()],
      frozen: { rows: head.length, columns: 1 },
      page: columns.length > PORTRAIT_COLUMNS ? ('landscape' as const) : ('portrait' as const),
    }
  }

  #look(look: CellLook): CellLook {
    const key = JSON.stringify(look)
    const known = this.#looks.get(key) ?? look
    this.#looks.set(key, known)
    return known
  }

  #head(made: string): XlsxLookedRow[] {
    const { company, kind, year, source, columns, notices, decimals } = this.#statement
    const language = this.#language
    const own = columns.filter((column) => column.kind !== 'lastYear').map(({ span }) => span)
    const months = {
      from: own.map(({ from }) => from).toSorted()[0] ?? year.start.slice(0, 7),
      to:
        own
          .map(({ to }) => to)
          .toSorted()
          .at(-1) ?? year.end.slice(0, 7),
    }
    const fact = (name: string, value: string): XlsxLookedRow => ({ cells: [`${name}: ${value}`], looks: [] })
    const amount = (value: string): string =>
      statementFigure(value, { format: 'money', kind: 'actual', locale: this.#locale, decimals })
    return [
      { cells: [company.name ?? source.name], looks: [this.#look({ title: true })] },
      { cells: [STATEMENT_NAMES[kind][language]], looks: [this.#look({ bold: true })] },
      fact(WORDS.year[language], `${year.name} (${year.start} – ${year.end})`),
      fact(WORDS.period[language], spanName(months, language)),
      ...(company.currency === null ? [] : [fact(WORDS.currency[language], company.currency)]),
      ...(company.name === null ? [] : [fact(WORDS.source[language], source.name)]),
      fact(WORDS.made[language], made),
      ...notices.map((notice) => fact(WORDS.note[language], noticeText(notice, language, amount))),
      { cells: [], looks: [] },
    ]
  }

  #columnHeads(): XlsxLookedRow[] {
    const { columns } = this.#statement
    const bold = this.#look({ bold: true, align: 'right' })
    const row = (nameOf: (column: StatementColumn, at: number) => string): XlsxLookedRow => ({
      cells: [null, ...columns.map(nameOf)],
      looks: [undefined, ...columns.map(() => bold)],
    })
    const groups = row((column, at) =>
      columns[at - 1]?.group === column.group ? '' : groupName(column, this.#language, this.#statement),
    )
    return columns.every(({ kind }) => kind === 'actual')
      ? [groups]
      : [groups, row(({ kind }) => columnName(kind, this.#language))]
  }

  /** A line, and the accounts that it adds up, which can be folded away. */
  #line(row: StatementRow): XlsxLookedRow[] {
    const isSum = row.style === 'subtotal' || row.style === 'total'
    const look: CellLook = {
      ...(isSum || row.style === 'heading' ? { bold: true } : {}),
      ...(row.style === 'total' ? { border: 'total' } : row.style === 'subtotal' ? { border: 'sum' } : {}),
    }
    const line = this.#cells(row.label[this.#language], row, { look, indent: row.level })
    return [line, ...(row.accounts ?? []).map((account) => this.#account(account, row))]
  }

  #account({ account, name, values }: StatementAccount, { format, level }: StatementRow): XlsxLookedRow {
    const label = name === null ? account : `${account} ${name}`
    return { ...this.#cells(label, { format, values }, { look: {}, indent: level + 1 }), outline: 1 }
  }

  #cells(
    label: string,
    { format, values }: Pick<StatementRow, 'format' | 'values'>,
    { look, indent }: { look: CellLook; indent: number },
  ): XlsxLookedRow {
    const { columns, decimals } = this.#statement
    const formats = columns.map(({ kind }) => statementNumberFormat(format, kind, { locale: this.#locale, decimals }))
    return {
      cells: [label, ...columns.map((column, at) => numberOf(values[at] ?? null, column))],
      looks: [this.#look({ ...look, indent }), ...formats.map((numberFormat) => this.#look({ ...look, numberFormat }))],
    }
  }
}

/** Figures as numbers of the workbook, which has them in floating point as any other. */
const numberOf = (value: StatementValue, { kind }: StatementColumn): XlsxCell =>
  value === null ? null : isShareColumn(kind) ? Math.round(Number(value) * 10_000) / 10_000 : Number(value)
