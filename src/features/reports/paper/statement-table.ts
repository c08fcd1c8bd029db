import type { PaperColumn, PaperRow, PaperTable } from '../../../formats/pdf/paper-table'
import type { Statement, StatementLanguage, StatementRow, StatementValue } from '../../../shared/statements/statements'
import { columnName, groupName, statementFigure } from '../../../shared/statements/words'

interface StatementTableOptions {
  language: StatementLanguage
  locale: string
  /** Accounts below each line. */
  accounts: boolean
}

/** A statement as a table of a paper, as it is printed and exported. */
export function statementTable(statement: Statement, options: StatementTableOptions): PaperTable {
  const { language } = options
  const isPlain = statement.columns.every(({ kind }) => kind === 'actual')
  const columns = statement.columns.map((column): PaperColumn => {
    const group = groupName(column, language, statement)
    return { heads: isPlain ? [group] : [group, columnName(column.kind, language)], align: 'right' }
  })
  const blank = isPlain ? [''] : ['', '']
  return {
    columns: [{ heads: blank, align: 'left' }, ...columns],
    rows: statement.rows.flatMap((row) => statementLines(statement, row, options)),
  }
}

const ROW_STYLES: Record<StatementRow['style'], PaperRow['style']> = {
  heading: 'heading',
  line: 'line',
  subtotal: 'subtotal',
  total: 'total',
  memo: 'detail',
}

function statementLines(
  statement: Statement,
  row: StatementRow,
  { language, locale, accounts }: StatementTableOptions,
): PaperRow[] {
  const figures = (values: readonly StatementValue[]): string[] =>
    statement.columns.map(({ kind }, at) =>
      row.style === 'heading'
        ? ''
        : statementFigure(values[at] ?? null, { format: row.format, kind, locale, decimals: statement.decimals }),
    )
  const line: PaperRow = {
    style: ROW_STYLES[row.style],
    indent: row.level,
    cells: [row.label[language], ...figures(row.values)],
  }
  // A trial balance is a list of accounts.
  if (!accounts && statement.kind !== 'trial') return [line]
  const details = (row.accounts ?? []).map(({ account, name, values }): PaperRow => ({
    style: 'detail',
    indent: row.level + 1,
    cells: [name === null ? account : `${account} ${name}`, ...figures(values)],
  }))
  return [line, ...details]
}
