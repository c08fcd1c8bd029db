import type { ChartColours } from './chart-colours'
import type { ChartSpec } from './drawing'
import type { CellFormatter } from './figure-format'
import { truncateToWidth, EXPORT_BODY_PX, EXPORT_SCALE } from './sheet'
import type { ExportPageBody } from './sheet'

const EXPORT_CHART_PX = 520

/** A chart as it stands on paper: light, still, with all of its names. */
export async function chartExportBody(
  chartSpec: ChartSpec,
  format: CellFormatter,
  colours: ChartColours,
): Promise<ExportPageBody> {
  const { createEngine } = await import('./engine')
  const height = chartSpec.height(EXPORT_CHART_PX)
  const engine = createEngine(document.createElement('div'), {
    width: EXPORT_BODY_PX,
    height,
    devicePixelRatio: EXPORT_SCALE,
  })
  engine.setOption({
    ...chartSpec.option({ format, colours, reducedMotion: true, width: EXPORT_BODY_PX }),
    animation: false,
  })
  const picture = engine.renderToCanvas({ pixelRatio: EXPORT_SCALE, backgroundColor: colours.surface })
  return {
    height,
    paint: (context, width) => {
      context.drawImage(picture, 0, 0, width, height)
      engine.dispose()
    },
  }
}

/** Large figures beside one another, each with its name and its change. */
export function keyFiguresExportBody(
  figures: readonly { name: string; figure: string; change: string }[],
  colours: ChartColours,
): ExportPageBody {
  const perLine = Math.min(3, Math.max(1, figures.length))
  const rowPx = 120
  return {
    height: Math.ceil(figures.length / perLine) * rowPx,
    paint: (context, width) => {
      figures.forEach(({ name, figure, change }, at) => {
        const [left, top] = [(at % perLine) * (width / perLine), Math.floor(at / perLine) * rowPx]
        const lines = [
          { text: name, font: `550 15px ${colours.font}`, colour: colours.dimmed, below: 18 },
          { text: figure, font: `620 40px ${colours.font}`, colour: colours.text, below: 64 },
          { text: change, font: `400 15px ${colours.font}`, colour: colours.dimmed, below: 92 },
        ]
        for (const { text, font, colour, below } of lines) {
          context.font = font
          context.fillStyle = colour
          const measure = (part: string): number => context.measureText(part).width
          context.fillText(truncateToWidth(text, width / perLine - 24, measure), left, top + below)
        }
      })
    },
  }
}

/** A table as texts: what a picture of it shows. */
export interface TextTable {
  head: readonly string[]
  rows: readonly { cells: readonly string[]; strong: boolean }[]
  /** Which columns hold figures and stand to the right. */
  figures: readonly boolean[]
}

const ROW_PX = 26
const ROWS_MAX = 40

const describeHiddenCount = (count: number, one: string): string =>
  count === 1 ? `1 more ${one}` : `${count} more ${one}s`

interface TableLayout {
  /** Columns that fit, the last one always: it holds the totals of a pivot. */
  columns: number[]
  /** Width of every column of the table. */
  widths: number[]
}

/** Columns as wide as their texts, as many as there is room for. */
function layOutColumns(
  lines: readonly { cells: readonly string[] }[],
  width: number,
  measure: (text: string) => number,
): TableLayout {
  const count = lines[0]?.cells.length ?? 0
  const widths = Array.from({ length: count }, (_, at) => {
    const widest = Math.max(0, ...lines.map(({ cells }) => measure(cells[at] ?? '')))
    return Math.min(at === 0 ? NAME_MAX_PX : CELL_MAX_PX, widest) + GAP_PX
  })
  const last = count - 1
  let used = widths[last] ?? 0
  const columns = widths.flatMap((one, at) => {
    if (at === last) return [at]
    used += one
    return used <= width ? [at] : []
  })
  return { columns, widths }
}
const NAME_MAX_PX = 260
const CELL_MAX_PX = 200
const GAP_PX = 12

/** A table on paper: the first rows and columns; what is left out is said in its last line. */
export function tableExportBody(table: TextTable, colours: ChartColours): ExportPageBody {
  const rows = table.rows.slice(0, ROWS_MAX)
  const lines = [{ cells: table.head, strong: true }, ...rows]
  return {
    height: (lines.length + 1) * ROW_PX + 8,
    paint: (context, width) => {
      const measure = (part: string): number => context.measureText(part).width
      const fontOf = (strong: boolean): string => `${strong ? 600 : 400} 13px ${colours.font}`
      context.font = fontOf(true)
      const { columns, widths } = layOutColumns(lines, width, measure)
      lines.forEach(({ cells, strong }, row) => {
        context.font = fontOf(strong)
        context.fillStyle = colours.text
        let left = 0
        for (const column of columns) {
          const wide = widths[column] ?? 0
          const figure = table.figures[column] ?? false
          context.textAlign = figure ? 'right' : 'left'
          const text = truncateToWidth(cells[column] ?? '', wide - GAP_PX / 2, measure)
          context.fillText(text, figure ? left + wide - GAP_PX / 2 : left, row * ROW_PX + 18)
          left += wide
        }
        context.fillStyle = colours.grid
        context.fillRect(0, (row + 1) * ROW_PX, width, 1)
      })
      drawHiddenNote(
        context,
        { table, rows: rows.length, columns: columns.length, top: lines.length * ROW_PX },
        colours,
      )
    },
  }
}

function drawHiddenNote(
  context: CanvasRenderingContext2D,
  shown: { table: TextTable; rows: number; columns: number; top: number },
  colours: ChartColours,
): void {
  const { table, rows, columns, top } = shown
  const left = [
    ...(table.rows.length > rows ? [describeHiddenCount(table.rows.length - rows, 'row')] : []),
    ...(table.head.length > columns ? [describeHiddenCount(table.head.length - columns, 'column')] : []),
  ]
  context.textAlign = 'left'
  context.font = `400 13px ${colours.font}`
  context.fillStyle = colours.dimmed
  if (left.length > 0) context.fillText(`and ${left.join(' and ')}`, 0, top + 18)
}
