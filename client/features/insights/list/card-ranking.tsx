import type { ChartKind } from '../../../../src/shared/insights'
import type { Cell, QueryResult, ResultColumn } from '../../../../src/shared/query/result'
import { columnsOfKind, isOther } from '../../../../src/shared/charts/chart-model'
import { toNumber, type CellFormatter } from '../../../../src/shared/figures/cell-formatter'
import classes from '../insights.module.css'
import { MutedText } from '../../../ui/muted-text'

/** So many lines take the room of a small picture. */
const RANKING_ROWS_MAX = 4
/** Figures beside a name; more would leave no room for it. */
const RANKING_MEASURES_MAX = 2

export interface Ranking {
  headers: string[]
  rows: { name: string; cells: string[] }[]
  /** Lines that are not shown; 'rest' = also those of the group of the rest, which nobody counted. */
  hiddenCount: number | 'rest'
}

const RANKED_CHARTS: readonly ChartKind[] = ['bar', 'table']

/**
 * The first lines of an answer by name, for a picture too small for words: bars without names say nothing.
 * Null where the picture says more: over time, and by two splits.
 */
export function rankingOf(result: QueryResult, chart: ChartKind, format: CellFormatter): Ranking | null {
  const [split, ...others] = columnsOfKind(result, 'dimension')
  if (!RANKED_CHARTS.includes(chart) || !split || split.column.grain || others.length > 0) return null
  const measures = columnsOfKind(result, 'measure').slice(0, RANKING_MEASURES_MAX)
  const named = result.rows.filter((_, row) => !isOther(result, row, 0))
  const shown = named.slice(0, RANKING_ROWS_MAX)
  const columns = measures.map(({ column, at }) =>
    formatRankingColumn(
      shown.map((row) => row[at] ?? null),
      column,
      format,
    ),
  )
  return {
    headers: measures.length > 1 ? measures.map(({ column }) => column.label) : [],
    rows: shown.map((row, line) => ({
      name: format.label(row[split.at] ?? null, split.column),
      cells: columns.map((cells) => cells[line] ?? ''),
    })),
    hiddenCount: named.length < result.rows.length ? 'rest' : Math.max(0, named.length - RANKING_ROWS_MAX),
  }
}

/** Figures are short and line up; anything else, and what is missing, is told in full. */
function formatRankingColumn(cells: readonly Cell[], column: ResultColumn, format: CellFormatter): string[] {
  const figures = column.type === 'number' || column.type === 'integer' ? cells.map(toNumber) : []
  const texts = format.shortList(
    figures.filter((figure) => figure !== null),
    column,
  )
  return cells.map((cell, line) => (typeof figures[line] === 'number' && texts.shift()) || format.full(cell, column))
}

export function CardRanking({ ranking }: { ranking: Ranking }) {
  const { headers, rows, hiddenCount } = ranking
  return (
    <div style={{ marginTop: 'auto', paddingTop: 8 }}>
      <table className={classes.ranking}>
        {headers.length > 0 && (
          <thead>
            <tr>
              <td />
              {headers.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map(({ name, cells }, line) => (
            <tr key={line}>
              <th scope="row">{name}</th>
              {cells.map((cell, at) => (
                <td key={at} className="figure">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {hiddenCount !== 0 && (
        <MutedText size="xs">{hiddenCount === 'rest' ? 'and the rest' : `and ${hiddenCount} more`}</MutedText>
      )}
    </div>
  )
}
