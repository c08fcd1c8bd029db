import type { ChartKind } from '../../../src/shared/insights'
import type { QueryResult, ResultColumn } from '../../../src/shared/query-result'
import { isOther } from '../../ui/chart/other-group'
import { numeric } from '../../ui/chart/figure-format'
import type { FigureFormat } from '../../ui/chart/figure-format'

/** So many lines take the room of a small picture. */
export const RANKED_MAX = 4
/** Figures beside a name; more would leave no room for it. */
const FIGURES_MAX = 2

export interface Ranking {
  /** What stands in the columns beside the names. */
  heads: string[]
  lines: { name: string; cells: string[] }[]
  /** Lines that are not shown; 'rest' = also those of the group of the rest, which nobody counted. */
  more: number | 'rest'
}

const NAMED: readonly ChartKind[] = ['bar', 'table']

/**
 * The first lines of an answer by name, for a picture too small for words: bars without names say nothing.
 * Null where the picture says more: over time, and by two splits.
 */
export function rankingOf(result: QueryResult, chart: ChartKind, format: FigureFormat): Ranking | null {
  const at = result.columns.flatMap((column, index) => (column.kind === 'dimension' ? [{ column, index }] : []))
  const [split, ...others] = at
  if (!NAMED.includes(chart) || !split || split.column.grain || others.length > 0) return null
  const measures = result.columns
    .flatMap((column, index) => (column.kind === 'measure' ? [{ column, index }] : []))
    .slice(0, FIGURES_MAX)
  const named = result.rows.filter((_, row) => !isOther(result, row, 0))
  return {
    heads: measures.length > 1 ? measures.map(({ column }) => column.label) : [],
    lines: named.slice(0, RANKED_MAX).map((row) => ({
      name: format.label(row[split.index] ?? null, split.column),
      cells: measures.map(({ column, index }) => cellWords(row[index] ?? null, column, format)),
    })),
    more: named.length < result.rows.length ? 'rest' : Math.max(0, named.length - RANKED_MAX),
  }
}

function cellWords(cell: QueryResult['rows'][number][number], column: ResultColumn, format: FigureFormat): string {
  const figure = column.type === 'number' || column.type === 'integer' ? numeric(cell) : null
  return figure === null ? format.full(cell, column) : format.short(figure, column)
}
