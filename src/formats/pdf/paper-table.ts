import {
  drawLine,
  drawRule,
  ensureRoom,
  newPage,
  PAPER_COLOURS,
  textWidth,
  UPRIGHT_WIDTH,
  widthOf,
  wrapText,
  type Paper,
  type TextStyle,
} from './paper'

export interface PaperColumn {
  /** One text for each line of the heading; the same text beside itself stands once over both. */
  heads: string[]
  align: 'left' | 'right'
  /** Sums of what stands beside them. */
  bold?: boolean
}
export interface PaperRow {
  cells: string[]
  style: 'line' | 'heading' | 'subtotal' | 'total' | 'detail'
  /** Steps that its first cell is set in. */
  indent?: number
}
export interface PaperTable {
  columns: PaperColumn[]
  rows: PaperRow[]
}

const CELL_GAP = 8
const ROUNDING = 0.5
const INDENT = 10
const SIZES = [8.5, 8, 7.5, 7] as const
const FIRST_COLUMN = { least: 90, most: 0.46 } as const
const TEXT_COLUMN_MAX = 170

const styleOf = ({ style }: Pick<PaperRow, 'style'>, size: number): TextStyle => ({
  size: style === 'detail' ? size - 0.5 : size,
  bold: style === 'heading' || style === 'subtotal' || style === 'total',
  colour: style === 'detail' ? PAPER_COLOURS.muted : PAPER_COLOURS.ink,
})

const inColumn = (style: TextStyle, bold = false): TextStyle => (bold ? { ...style, bold } : style)

/** A heading of one line is broken into so many, where its figures are narrower. */
const HEAD_LINES_MAX = 3
/** Lines are not broken into equal parts. */
const HEAD_RAGGED = 1.2
/** How wide headings are at least: those of several lines stand as they are. */
function headWidth(heads: readonly string[], measure: (text: string) => number): number {
  const [only] = heads
  if (heads.length !== 1 || only === undefined) return Math.max(0, ...heads.map(measure))
  const words = Math.max(...only.split(' ').map(measure))
  return Math.max(words, Math.min(measure(only), (measure(only) / HEAD_LINES_MAX) * HEAD_RAGGED))
}

/** What each column needs to be read whole, at a size of text. */
function neededWidths(
  paper: Paper,
  { columns, rows }: PaperTable,
  { size, breaks }: { size: number; breaks: boolean },
): number[] {
  return columns.map(({ heads, align, bold }, at) => {
    const measure = (text: string): number => textWidth(paper, text, { size, bold: true })
    const head = breaks ? headWidth(heads, measure) : Math.max(0, ...heads.map(measure))
    const cells = rows.map(
      (row) =>
        textWidth(paper, row.cells[at] ?? '', inColumn(styleOf(row, size), bold)) +
        (at === 0 ? (row.indent ?? 0) * INDENT : 0),
    )
    const needed = Math.max(head, ...cells) + CELL_GAP + ROUNDING
    if (at === 0) return Math.max(FIRST_COLUMN.least, Math.min(needed, widthOf(paper) * FIRST_COLUMN.most))
    return align === 'left' ? Math.min(needed, TEXT_COLUMN_MAX) : needed
  })
}

interface Part {
  size: number
  /** Indexes of columns, the first among them. */
  columns: number[]
  widths: number[]
}

/** Of the size of a letter, on the average. */
const LETTER_WIDTH = 0.56
/** Whether a table stands better across the page: upright not all of its columns would stand beside each other. */
export function isWideTable({ columns, rows }: PaperTable): boolean {
  const least = SIZES.at(-1) ?? 7
  const needed = columns.map(({ heads, align }, at) => {
    const head = headWidth(heads, ({ length }) => length)
    const letters = Math.max(head, ...rows.map(({ cells }) => (cells[at] ?? '').length))
    const width = letters * least * LETTER_WIDTH + CELL_GAP
    if (at === 0) return Math.max(FIRST_COLUMN.least, Math.min(width, UPRIGHT_WIDTH * FIRST_COLUMN.most))
    return align === 'left' ? Math.min(width, TEXT_COLUMN_MAX) : width
  })
  return needed.reduce((sum, width) => sum + width, 0) > UPRIGHT_WIDTH
}

/** Columns that stand beside each other on one page: all where they fit, else in parts that each begin with the first. */
function partsOf(paper: Paper, table: PaperTable): Part[] {
  const all = table.columns.map((_, at) => at)
  for (const size of SIZES)
    for (const breaks of [false, true]) {
      const widths = neededWidths(paper, table, { size, breaks })
      if (widths.reduce((sum, width) => sum + width, 0) <= widthOf(paper)) return [{ size, columns: all, widths }]
    }
  const size = SIZES.at(-1) ?? 7
  const widths = neededWidths(paper, table, { size, breaks: true })
  const [first = 0, ...rest] = widths
  const parts: Part[] = []
  let part: Part = { size, columns: [0], widths: [first] }
  rest.forEach((width, at) => {
    const used = part.widths.reduce((sum, one) => sum + one, 0)
    if (used + width > widthOf(paper) && part.columns.length > 1) {
      parts.push(part)
      part = { size, columns: [0], widths: [first] }
    }
    part.columns.push(at + 1)
    part.widths.push(Math.min(width, widthOf(paper) - first))
  })
  return [...parts, part]
}

/** From name to figure is never further than the eye follows. */
const SPREAD_MAX = 160

/** What is left of the width goes to the first column, so that figures stand at the right edge where that is near. */
function spread(paper: Paper, { columns }: PaperTable, { widths, columns: shown }: Part): number[] {
  // Beside a text there is no figure to stand at the edge.
  if (columns[shown[1] ?? 0]?.align === 'left') return widths
  const free = widthOf(paper) - widths.reduce((sum, width) => sum + width, 0)
  const [first = 0, ...rest] = widths
  return free > 0 && rest.length > 0 ? [first + Math.min(free, SPREAD_MAX), ...rest] : widths
}

/** A table over as many pages as it takes; its heading stands on each. */
export function drawTable(paper: Paper, table: PaperTable): void {
  partsOf(paper, table).forEach((part, at) => {
    if (at > 0) beginPart(paper, table, part)
    drawPart(paper, table, part)
  })
  paper.y += 8
}

const PART_GAP = 14
/** Further columns stand below the ones before them where all of their rows do, else on a page of their own. */
function beginPart(paper: Paper, table: PaperTable, part: Part): void {
  const height = headHeight(paper, table, part) + table.rows.length * rowHeight(part)
  if (paper.y + PART_GAP + height > paper.bottom) newPage(paper)
  else paper.y += PART_GAP
}
const rowHeight = ({ size }: Part): number => size * 1.65
const headHeight = (paper: Paper, table: PaperTable, part: Part): number =>
  brokenHeads(paper, table, { ...part, widths: spread(paper, table, part) }).lines * part.size * 1.45 + 5

function drawPart(paper: Paper, table: PaperTable, part: Part): void {
  const widths = spread(paper, table, part)
  const step = rowHeight(part)
  ensureRoom(paper, headHeight(paper, table, part) + step * 3)
  drawHeads(paper, table, { ...part, widths })
  table.rows.forEach((row, at) => {
    const rows = isFollowed(row, table.rows[at + 1]) ? 2 : 1
    if (paper.y + step * rows > paper.bottom) {
      newPage(paper)
      drawHeads(paper, table, { ...part, widths })
    }
    drawRow(paper, row, { ...part, widths }, table)
    paper.y += step
  })
}

/** Whether a row introduces the next one, and doesn't stand at the foot of a page without it. */
const isFollowed = ({ style }: PaperRow, next: PaperRow | undefined): boolean =>
  next !== undefined && (style === 'heading' || (style !== 'detail' && next.style === 'detail'))

/** Where the last column of a table ends. */
const edgeOf = ({ left }: Paper, widths: readonly number[]): number =>
  left + widths.reduce((sum, width) => sum + width, 0)

/** Headings as the lines that they are written in, all of them ending at the same one. */
function brokenHeads(
  paper: Paper,
  { columns }: PaperTable,
  { size, columns: shown, widths }: Part,
): { heads: string[][]; lines: number } {
  const broken = shown.map((column, at) => {
    const { heads } = columns[column] ?? { heads: [] }
    const [only] = heads
    if (heads.length !== 1 || only === undefined) return heads
    return wrapText(paper, only, inner(0, widths[at] ?? 0, at).width + ROUNDING, { size, bold: true })
  })
  const lines = Math.max(0, ...broken.map(({ length }) => length))
  return { lines, heads: broken.map((own) => [...Array.from({ length: lines - own.length }, () => ''), ...own]) }
}

function drawHeads(paper: Paper, table: PaperTable, part: Part): void {
  const { size, columns: shown, widths } = part
  const { heads, lines } = brokenHeads(paper, table, part)
  const style: TextStyle = { size, bold: true, colour: PAPER_COLOURS.muted }
  for (let line = 0; line < lines; line += 1) {
    let x = paper.left
    shown.forEach((column, at) => {
      const width = widths[at] ?? 0
      const { align = 'left', heads: own = [] } = table.columns[column] ?? {}
      const before = at > 0 ? heads[at - 1]?.[line] : undefined
      const text = heads[at]?.[line] ?? ''
      const repeats = own.length > 1 && line < lines - 1 && text === before
      if (!repeats) drawLine(paper, text, { ...style, align, ...inner(x, width, at), y: paper.y })
      x += width
    })
    paper.y += size * 1.45
  }
  paper.y += 2
  drawRule(paper, { right: edgeOf(paper, widths), colour: PAPER_COLOURS.muted, width: 0.7 })
  paper.y += 3
}

/** The part of a column that is written in: the gap lies before it. */
const inner = (x: number, width: number, at: number): { x: number; width: number } =>
  at === 0 ? { x, width: width - CELL_GAP / 2 } : { x: x + CELL_GAP, width: width - CELL_GAP }

function drawRow(paper: Paper, row: PaperRow, { size, columns: shown, widths }: Part, { columns }: PaperTable): void {
  const style = styleOf(row, size)
  const right = edgeOf(paper, widths)
  if (row.style === 'subtotal' || row.style === 'total') drawRule(paper, { y: paper.y - 2, right })
  let x = paper.left
  shown.forEach((column, at) => {
    const width = widths[at] ?? 0
    const indent = at === 0 ? (row.indent ?? 0) * INDENT : 0
    const box = inner(x, width, at)
    const { align = 'left', bold } = columns[column] ?? {}
    drawLine(paper, row.cells[column] ?? '', {
      ...inColumn(style, bold),
      align,
      x: box.x + indent,
      width: box.width - indent,
      y: paper.y,
    })
    x += width
  })
  if (row.style === 'total') drawRule(paper, { y: paper.y + size * 1.4, right, colour: PAPER_COLOURS.ink, width: 0.8 })
}
