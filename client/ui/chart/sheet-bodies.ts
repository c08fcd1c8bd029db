import type { ChartColours } from './chart-colours'
import type { Drawing } from './drawing'
import type { FigureFormat } from './figure-format'
import { cutText, SHEET_BODY_PX, SHEET_SCALE } from './sheet'
import type { SheetBody } from './sheet'

const CHART_PX = 520

/** A chart as it stands on paper: light, still, with all of its names. */
export async function chartBody(drawing: Drawing, format: FigureFormat, colours: ChartColours): Promise<SheetBody> {
  const { createEngine } = await import('./engine')
  const height = drawing.height(CHART_PX)
  const engine = createEngine(document.createElement('div'), {
    width: SHEET_BODY_PX,
    height,
    devicePixelRatio: SHEET_SCALE,
  })
  engine.setOption({ ...drawing.option({ format, colours, reducedMotion: true }), animation: false })
  const picture = engine.renderToCanvas({ pixelRatio: SHEET_SCALE, backgroundColor: colours.surface })
  return {
    height,
    paint: (context, width) => {
      context.drawImage(picture, 0, 0, width, height)
      engine.dispose()
    },
  }
}

/** Large figures beside one another, each with its name and its change. */
export function figuresBody(
  figures: readonly { name: string; figure: string; change: string }[],
  colours: ChartColours,
): SheetBody {
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
          context.fillText(cutText(text, width / perLine - 24, measure), left, top + below)
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
const COLUMNS_MAX = 13

/** The first columns and the last one, which holds the totals of a pivot. */
const columnsOf = (count: number): number[] =>
  Array.from({ length: count }, (_, at) => at).filter((at) => at < COLUMNS_MAX - 1 || at === count - 1)

/** A table on paper: the first rows and columns; what is left out is said in its last line. */
export function tableBody(table: TextTable, colours: ChartColours): SheetBody {
  const rows = table.rows.slice(0, ROWS_MAX)
  const columns = columnsOf(table.head.length)
  const left = [
    ...(table.rows.length > rows.length ? [`${table.rows.length - rows.length} more rows`] : []),
    ...(table.head.length > columns.length ? [`${table.head.length - columns.length} more columns`] : []),
  ]
  const lines = [{ cells: table.head, strong: true }, ...rows]
  return {
    height: (lines.length + (left.length > 0 ? 1 : 0)) * ROW_PX + 8,
    paint: (context, width) => {
      const columnPx = width / columns.length
      lines.forEach(({ cells, strong }, row) => {
        context.font = `${strong ? 600 : 400} 13px ${colours.font}`
        context.fillStyle = colours.text
        const measure = (part: string): number => context.measureText(part).width
        columns.forEach((column, at) => {
          const right = table.figures[column] ?? false
          context.textAlign = right ? 'right' : 'left'
          const text = cutText(cells[column] ?? '', columnPx - 10, measure)
          context.fillText(text, (right ? at + 1 : at) * columnPx, row * ROW_PX + 18)
        })
        context.fillStyle = colours.grid
        context.fillRect(0, (row + 1) * ROW_PX, width, 1)
      })
      context.textAlign = 'left'
      context.fillStyle = colours.dimmed
      if (left.length > 0) context.fillText(`and ${left.join(' and ')}`, 0, lines.length * ROW_PX + 18)
    },
  }
}
