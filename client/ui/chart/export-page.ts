import type { ChartColours } from './chart-colours'
import type { ChartSpec } from './chart-spec'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'

/** What stands around a picture that leaves the product, so that it explains itself years later. */
export interface ExportPageText {
  title: string
  subtitle: string
  /** Below the picture, one sentence a line. */
  notes: readonly string[]
  /** Last line: source, date. */
  foot: string
}

/** What stands between head and foot; painted with its upper left corner at 0, 0. */
export interface ExportPageBody {
  height: number
  paint(context: CanvasRenderingContext2D, width: number): void
}

const EXPORT_PAGE_PX = 1200
const EXPORT_SCALE = 2
const PAGE_PADDING_PX = 40
const TITLE_STYLE = { px: 28, line: 36, weight: 620 }
const TEXT_STYLE = { px: 16, line: 24, weight: 400 }
const SMALL_STYLE = { px: 14, line: 21, weight: 400 }
type TextStyle = typeof TITLE_STYLE

const cssFont = ({ px, weight }: TextStyle, { font }: ChartColours): string => `${weight} ${px}px ${font}`

/** Breaks a text into lines of at most `width`; a word that is longer than a line is broken too. */
export function wrapText(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  const push = (word: string): void => {
    const longer = line === '' ? word : `${line} ${word}`
    if (measure(longer) <= width) {
      line = longer
      return
    }
    if (line !== '') lines.push(line)
    line = word
    while (measure(line) > width && line.length > 1) {
      let fits = line.length - 1
      while (fits > 1 && measure(line.slice(0, fits)) > width) fits--
      lines.push(line.slice(0, fits))
      line = line.slice(fits)
    }
  }
  for (const word of text.split(/\s+/).filter((one) => one !== '')) push(word)
  return line === '' ? lines : [...lines, line]
}

export function truncateToWidth(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text
  let cut = text
  while (cut.length > 1 && measure(`${cut}…`) > width) cut = cut.slice(0, -1)
  return `${cut}…`
}

interface TextBlock {
  type: TextStyle
  colour: string
  lines: string[]
  /** Free space above. */
  above: number
}

function textBlocks(context: CanvasRenderingContext2D, text: ExportPageText, colours: ChartColours) {
  const block = (textStyle: TextStyle, colour: string, parts: readonly string[], above: number): TextBlock => {
    context.font = cssFont(textStyle, colours)
    const measure = (part: string): number => context.measureText(part).width
    return {
      type: textStyle,
      colour,
      above,
      lines: parts.flatMap((part) => wrapText(part, EXPORT_PAGE_PX - 2 * PAGE_PADDING_PX, measure)),
    }
  }
  return {
    head: [block(TITLE_STYLE, colours.text, [text.title], 0), block(TEXT_STYLE, colours.dimmed, [text.subtitle], 4)],
    foot: [block(SMALL_STYLE, colours.dimmed, text.notes, 14), block(SMALL_STYLE, colours.dimmed, [text.foot], 14)],
  }
}

const blocksHeight = (blocks: readonly TextBlock[]): number =>
  blocks.reduce((sum, { above, type, lines }) => sum + above + type.line * lines.length, 0)

function drawBlocks(
  context: CanvasRenderingContext2D,
  blocks: readonly TextBlock[],
  parts: { top: number; colours: ChartColours },
) {
  let top = parts.top
  context.textBaseline = 'alphabetic'
  context.textAlign = 'left'
  for (const { type, colour, lines, above } of blocks) {
    top += above
    context.font = cssFont(type, parts.colours)
    context.fillStyle = colour
    for (const line of lines) {
      context.fillText(line, PAGE_PADDING_PX, top + type.px)
      top += type.line
    }
  }
}

/** A page of paper: title, subtitle, picture, notes and source. @throws TypeError where canvases cannot be drawn on */
export function renderExportPage(text: ExportPageText, body: ExportPageBody, colours: ChartColours): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!context) throw new TypeError('This browser can’t create images.')
  const { head, foot } = textBlocks(context, text, colours)
  const bodyTop = PAGE_PADDING_PX + blocksHeight(head) + 20
  const footTop = bodyTop + body.height
  canvas.width = EXPORT_PAGE_PX * EXPORT_SCALE
  canvas.height = Math.ceil(footTop + blocksHeight(foot) + PAGE_PADDING_PX) * EXPORT_SCALE
  context.scale(EXPORT_SCALE, EXPORT_SCALE)
  context.fillStyle = colours.surface
  context.fillRect(0, 0, canvas.width, canvas.height)
  drawBlocks(context, head, { top: PAGE_PADDING_PX, colours })
  drawBlocks(context, foot, { top: footTop, colours })
  context.save()
  context.translate(PAGE_PADDING_PX, bodyTop)
  body.paint(context, EXPORT_PAGE_PX - 2 * PAGE_PADDING_PX)
  context.restore()
  return canvas
}

const EXPORT_BODY_PX = EXPORT_PAGE_PX - 2 * PAGE_PADDING_PX

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
