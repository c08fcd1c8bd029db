import type { FileTable } from '../../../http/files/table-download'
import { tableOfAnswer } from '../../../semantic/answer-table'
import { withPercent } from '../../../shared/charts/chart-model'
import { describeCompared, describeResultPeriod, keyFigure } from '../../../shared/charts/headline'
import type { ColumnFormat } from '../../../shared/data-sources/files'
import type { Cell } from '../../../shared/query/result'
import type { FigureAnswer, ForecastTile, TileContent } from '../../../shared/reports/tiles'
import type { Statement, StatementLanguage } from '../../../shared/statements/statements'
import { columnName, groupName } from '../../../shared/statements/words'

type ChartContent = Extract<TileContent, { kind: 'chart' }>
/** Reads the rows of a table after those that a document holds; null where there are no others, as in an edition. */
export type RestOfRows = ((content: ChartContent) => AsyncGenerator<Cell[]>) | null

/** The answer of a block as a table of a file: all of its rows, or how many of them are here. */
export function answerTable(content: ChartContent, rest: RestOfRows): FileTable {
  const { result, viz } = content
  const table = tableOfAnswer(result, viz.percent)
  const isWhole = result.rows.length >= result.rowCount
  return {
    ...table,
    rows: async function* () {
      yield* table.rows()
      if (isWhole) return
      if (rest) yield* rest(content)
      else yield [`The first ${result.rows.length} of ${result.rowCount} rows.`]
    },
  }
}

const NUMBER = { type: 'number', format: { style: 'plain' }, kind: 'measure' } as const
const TEXT = { type: 'text', format: { style: 'plain' }, kind: 'dimension' } as const

const rowsOf = (rows: Cell[][]): Pick<FileTable, 'sample' | 'rows' | 'totals'> => ({
  sample: rows,
  rows: async function* () {
    yield* await Promise.resolve(rows)
  },
  totals: null,
})

const isoDay = (iso: string): string => iso

/** What a value of a column without a format of its own is in: `SEK`; a share is a part of 1. */
function unitOf(format: ColumnFormat): string | null {
  if (format.style === 'currency') return format.currency
  return format.style === 'percent' ? '1 = 100 %' : null
}

/** Key figures, one a line: of several currencies, so that each names its own. */
export function figureTable(figures: readonly FigureAnswer[], asked: readonly { label: string }[]): FileTable {
  const rows = figures.map((answer, at): Cell[] => {
    const label = asked[at]?.label ?? ''
    if ('error' in answer) return [label, null, null, null, null, null]
    const figure = keyFigure(answer.percent ? withPercent(answer.result, [0]) : answer.result)
    const compared = answer.result.period?.compare
    return [
      label || answer.name,
      figure?.value ?? null,
      figure ? unitOf(figure.column.format) : null,
      describeResultPeriod(answer.result, isoDay),
      figure?.previous ?? null,
      compared ? describeCompared(compared, isoDay) : null,
    ]
  })
  return {
    columns: [TEXT, NUMBER, TEXT, TEXT, NUMBER, TEXT],
    heads: ['Name', 'Value', 'Unit', 'Period', 'Compared value', 'Compared period'],
    ...rowsOf(rows),
  }
}

/** The past and the path ahead. */
export function forecastTable({ past, future, format, scale }: ForecastTile): FileTable {
  const figure = { ...NUMBER, format, ...(scale === null ? {} : { scale }) }
  return {
    columns: [{ ...TEXT, type: 'date' }, figure, figure, figure, figure],
    heads: ['Period', 'Actual', 'Forecast', '80 % interval low', '80 % interval high'],
    ...rowsOf([
      ...past.map(({ period, value }): Cell[] => [period, value, null, null, null]),
      ...future.map(({ period, mean, lower80, upper80 }): Cell[] => [period, null, mean, lower80, upper80]),
    ]),
  }
}

/** A statement, its lines and their accounts, as plain columns. */
export function statementFileTable(statement: Statement, language: StatementLanguage): FileTable {
  const { columns, rows } = statement
  const line = (label: string, account: string | null, values: Statement['rows'][number]['values']): Cell[] => [
    label,
    account,
    ...columns.map((_, at) => values[at] ?? null),
  ]
  const lines = rows.flatMap((row) => [
    line(row.label[language], null, row.style === 'heading' ? [] : row.values),
    ...(row.accounts ?? []).map(({ account, name, values }) => line(name ?? account, account, values)),
  ])
  const headOf = (column: Statement['columns'][number]): string => {
    const group = groupName(column, language, statement)
    return columns.every(({ kind }) => kind === 'actual') ? group : `${group}, ${columnName(column.kind, language)}`
  }
  return {
    columns: [TEXT, TEXT, ...columns.map(() => NUMBER)],
    heads: [{ en: 'Line', sv: 'Rad' }[language], { en: 'Account', sv: 'Konto' }[language], ...columns.map(headOf)],
    ...rowsOf(lines),
  }
}
