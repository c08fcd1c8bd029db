import { currenciesOf } from './document-currencies'
import { contentOf, nameOnPaper, titleOf } from './block-titles'
import { chartCaption, chartNotes, chartOf, drawFigure, drawForecast, FIGURE_HEIGHT } from './chart-on-paper'
import { pivotOf, pivotTable } from './pivot-on-paper'
import { PAPER_ROWS_MAX, resultTable } from './result-table'
import { statementTable } from './statement-table'
import type { PaperFonts } from '../../../formats/pdf/fonts'
import {
  drawLine,
  drawParagraph,
  drawRule,
  ensureRoom,
  finishPaper,
  newPage,
  openPaper,
  PAPER_COLOURS,
  widthOf,
  wrapText,
  type Paper,
  type PaperImage,
} from '../../../formats/pdf/paper'
import { drawChart, type Box } from '../../../formats/pdf/paper-chart'
import { drawTable, isWideTable, type PaperTable } from '../../../formats/pdf/paper-table'
import { createCellFormatter, type CellFormatter } from '../../../shared/figures/cell-formatter'
import { createFormatter } from '../../../shared/figures/formatter'
import { GRID_COLUMNS, type ReportBlock } from '../../../shared/reports/blocks'
import type { DocumentBlock, ReportDocument } from '../../../shared/reports/editions'
import { plainLines } from '../../../shared/reports/rich-text'
import { writeTokens } from '../../../shared/reports/token-text'
import type { TileContent } from '../../../shared/reports/tiles'
import { STATEMENT_NAMES } from '../../../shared/statements/statements'
import { noticeText, spanName, statementFigure } from '../../../shared/statements/words'

/** What writing takes besides the document. */
export interface PaperContext {
  fonts: PaperFonts
  /** Pictures of image blocks by their key. */
  pictures: ReadonlyMap<string, Uint8Array>
}
type ChartContent = Extract<TileContent, { kind: 'chart' }>
interface Drawing {
  paper: Paper
  /** Each is in the paper once, however many blocks show it. */
  pictures: ReadonlyMap<string, PaperImage>
  /** The heading that nothing was written below yet: a block or a text of the same name does not repeat it. */
  heading: { open: string }
  /** The report's period in words, which its front says. */
  period: string | null
  format: CellFormatter
  locale: string
  /** Pages are wider than high, where nothing asks for another way. */
  landscape: boolean
  /** Tables of blocks that are read as such. */
  tables: ReadonlyMap<DocumentBlock, BlockTable>
}

/** Statements of more columns than these lie across the page. */
const PORTRAIT_COLUMNS = 6
const CHART_HEIGHT = 190
const TITLE = { size: 10.5, bold: true } as const
const SMALL = { size: 8, colour: PAPER_COLOURS.muted } as const
const BAND_GAP = 18

/** A report as PDF: A4, text that can be selected and searched, on every page whose it is, of when and which page. */
export async function writePaper(document: ReportDocument, context: PaperContext): Promise<Uint8Array> {
  const { notation, workspace, report, madeAt } = document
  const figures = createFormatter(notation)
  const format = createCellFormatter(figures)
  const tables = tablesOf(document, format)
  const landscape = isWide(document)
  const [first] = document.pages.flatMap(({ blocks }) => bandsOf(blocks).flat())
  const paper = openPaper({
    fonts: context.fonts,
    title: documentTitle(document),
    author: workspace,
    language: 'en-GB',
    createdAt: new Date(madeAt),
    landscape: landscape || isTurned(tables, first),
    foot: footOf(document, figures.dateTime),
    pageOf: (page, of) => `Page ${page} of ${of}`,
  })
  const pictures = openPictures(paper, context.pictures)
  const heading = { open: report.name }
  const drawing: Drawing = {
    pictures,
    heading,
    period: document.period,
    ...{ paper, format, landscape, tables },
    locale: notation.numberLocale,
  }
  drawFront(paper, document, figures.dateTime)
  document.pages.forEach((page, at) => {
    const blocks = bandsOf(page.blocks)
    if (at > 0) newPage(paper, landscape || isTurned(tables, blocks[0]?.[0]))
    if (document.pages.length > 1 && !page.blocks.some((one) => nameOnPaper(one) === page.name)) {
      drawLine(paper, page.name, { size: 14, bold: true, x: paper.left, y: paper.y, width: widthOf(paper) })
      paper.y += 24
      drawing.heading.open = page.name
    }
    blocks.forEach((band, n) => drawBand(drawing, band, blocks[n + 1]?.[0]))
  })
  if (report.description !== '') drawParagraph(paper, report.description, SMALL)
  return finishPaper(paper)
}

/** Those that can be opened. */
const openPictures = ({ doc }: Paper, pictures: PaperContext['pictures']): Map<string, PaperImage> =>
  new Map(
    [...pictures].flatMap(([key, bytes]): [string, PaperImage][] => {
      try {
        return [[key, doc.openImage(bytes)]]
      } catch {
        return []
      }
    }),
  )

const documentTitle = ({ report, n, period }: ReportDocument): string =>
  [report.name, period, n > 0 ? `edition ${n}` : null].filter((part) => part !== null).join(', ')

/** Filters and currency, and how old the data are: on every page, as a page may be all that somebody gets. */
function footOf(document: ReportDocument, dateTime: (instant: string) => string): string {
  const data = document.dataAsOf === null ? null : `Data as of ${dateTime(document.dataAsOf)}`
  return [...document.filters, currenciesOf(document), data].filter((part) => part !== null).join(' · ')
}

const isWide = ({ pages }: ReportDocument): boolean =>
  pages.some(({ blocks }) =>
    blocks.some(
      ({ answer }) =>
        answer !== null &&
        'content' in answer &&
        answer.content.kind === 'statement' &&
        answer.content.statement.columns.length > PORTRAIT_COLUMNS,
    ),
  )

function drawFront(paper: Paper, document: ReportDocument, dateTime: (instant: string) => string): void {
  const { report, period, n, madeBy, madeAt, note } = document
  drawLine(paper, report.name, { size: 20, bold: true, x: paper.left, y: paper.y, width: widthOf(paper) })
  paper.y += 28
  const made = `${n > 0 ? `Edition ${n}, published` : 'Made'} ${dateTime(madeAt)} by ${madeBy}`
  const facts = [period, made].filter((part) => part !== null).join(' · ')
  drawLine(paper, facts, { ...SMALL, size: 9, x: paper.left, y: paper.y, width: widthOf(paper) })
  paper.y += 16
  if (note !== '') drawParagraph(paper, `Correction: ${note}`, { size: 9 })
  paper.y += 6
}

/** A block as a table, how many of its rows are not in it, and what else is to be said of it. */
interface BlockTable {
  table: PaperTable
  left: number
  notes: readonly string[]
}

function blockTable(content: ChartContent, format: CellFormatter): BlockTable {
  const pivot = pivotOf(content, format)
  if (!pivot) return { ...resultTable(content.result, format), notes: [] }
  const rows = pivot.rows.slice(0, PAPER_ROWS_MAX)
  return {
    table: pivotTable({ ...pivot, rows }, format),
    left: pivot.rows.length - rows.length,
    notes: pivot.notes,
  }
}

const tablesOf = ({ pages }: ReportDocument, format: CellFormatter): Drawing['tables'] =>
  new Map(
    pages.flatMap(({ blocks }) =>
      blocks.flatMap((one): [DocumentBlock, BlockTable][] => {
        const content = contentOf(one)
        return content?.kind === 'chart' && !isPicture(one, format) ? [[one, blockTable(content, format)]] : []
      }),
    ),
  )

/** Whether a block is a table that stands across the page. */
function isTurned(tables: Drawing['tables'], one: DocumentBlock | undefined): boolean {
  const own = one && tables.get(one)
  return own !== undefined && isWideTable(own.table)
}

/** Begins a page that is turned as a block needs it, where the one that is written on is not. */
function turnFor({ paper, landscape, tables }: Drawing, one: DocumentBlock | undefined): void {
  const wanted = landscape || isTurned(tables, one)
  if (paper.landscape !== wanted) newPage(paper, wanted)
}

/** Blocks that lie beside each other in the grid. */
export function bandsOf(blocks: readonly DocumentBlock[]): DocumentBlock[][] {
  const inOrder = blocks.toSorted((a, b) => a.block.place.y - b.block.place.y || a.block.place.x - b.block.place.x)
  const bands: DocumentBlock[][] = []
  let end = -1
  for (const one of inOrder) {
    const { y, h } = one.block.place
    const last = bands.at(-1)
    if (last && y < end) last.push(one)
    else bands.push([one])
    end = Math.max(end, y + h)
  }
  return bands
}

/** Whether a block is a picture of a fixed height, which may stand beside another. */
function isPicture(one: DocumentBlock, format: CellFormatter): boolean {
  const content = contentOf(one)
  if (content?.kind === 'chart') return content.viz.chart === 'number' || chartOf(content, format) !== null
  return content?.kind === 'forecast'
}

/** @param next what stands first below it: a page break begins its page */
function drawBand(drawing: Drawing, band: DocumentBlock[], next: DocumentBlock | undefined): void {
  const { paper, format, tables, landscape } = drawing
  const beside = band.length > 1 && band.every((one) => isPicture(one, format))
  const rows = new Set(band.map(({ block }) => block.place.y)).size
  if (!beside || rows > 1) {
    band.forEach((one, at) => {
      if (one.block.kind === 'pageBreak') return newPage(paper, landscape || isTurned(tables, band[at + 1] ?? next))
      if (one.block.kind !== 'divider') turnFor(drawing, one)
      drawBlock(drawing, one)
    })
    return
  }
  turnFor(drawing, band[0])
  ensureRoom(paper, CHART_HEIGHT + 36)
  const { y } = paper
  for (const one of band) {
    const { x, w } = one.block.place
    const unit = (widthOf(paper) + BAND_GAP) / GRID_COLUMNS
    const box = { x: paper.left + x * unit, y, width: w * unit - BAND_GAP, height: CHART_HEIGHT }
    drawPicture(drawing, one, box)
  }
  paper.y = y + CHART_HEIGHT + 40
  for (const one of band) drawNotes(drawing, one, `${nameOnPaper(one) ?? ''}: `)
}

/** Which units of a chart are not whole, below it: its marks alone would say nothing. */
function drawNotes({ paper, format }: Drawing, one: DocumentBlock, of = ''): void {
  const content = contentOf(one)
  if (content?.kind !== 'chart') return
  for (const note of chartNotes(content, format)) drawParagraph(paper, `* ${of}${note}`, { ...SMALL, after: 2 })
}

function drawPicture({ paper, format }: Drawing, one: DocumentBlock, box: Box): void {
  const content = contentOf(one)
  if (content?.kind !== 'chart' && content?.kind !== 'forecast') return
  const { x, y, width } = box
  drawLine(paper, titleOf(one.block, content.name), { ...TITLE, x, y, width })
  const caption = content.kind === 'chart' ? chartCaption(content, format) : content.run.summary
  const lines = wrapText(paper, caption, width, SMALL).slice(0, 2)
  lines.forEach((line, at) => drawLine(paper, line, { ...SMALL, x, y: y + 15 + at * 11, width }))
  const head = 18 + (caption === '' ? 0 : lines.length * 11)
  const inside = { x, y: y + head, width, height: box.height + 26 - head }
  if (content.kind === 'forecast') return drawForecast(paper, content.run, { box: inside, format })
  const chart = chartOf(content, format)
  if (chart) return drawChart(paper, chart, inside)
  const answer = {
    ...content,
    subject: { kind: 'insight', id: '', measure: 0 },
    direction: content.viz.direction,
    percent: (content.viz.percent ?? []).includes(0),
  } as const
  drawFigure(paper, answer, { label: '', box: inside, format })
}

function drawBlock(drawing: Drawing, one: DocumentBlock): void {
  const { paper } = drawing
  const { block, answer } = one
  if (block.kind === 'divider') {
    drawRule(paper, { y: paper.y + 4 })
    paper.y += 14
    return
  }
  if (block.kind === 'image') return drawImage(drawing, block)
  if (answer !== null && 'error' in answer) {
    const { message } = answer.error
    return drawParagraph(paper, message.startsWith('Not ') ? message : `Not available: ${message}`, SMALL)
  }
  const content = contentOf(one)
  if (content) drawContent(drawing, one, content)
}

function drawContent(drawing: Drawing, one: DocumentBlock, content: TileContent): void {
  const { block } = one
  switch (content.kind) {
    case 'kpis':
      return drawFigures(drawing, one, content)
    case 'statement':
      return drawStatement(drawing, block, content)
    case 'text':
      return block.kind === 'text'
        ? drawText(drawing, writeTokens(block.text, content.tokens, drawing.format))
        : undefined
    case 'observation':
      return block.kind === 'observation' ? drawObservation(drawing, block, content) : undefined
    case 'chart':
    case 'forecast':
      return drawChartBlock(drawing, one, content)
  }
}

function drawFigures(
  { paper, format }: Drawing,
  { block }: DocumentBlock,
  { figures }: Extract<TileContent, { kind: 'kpis' }>,
): void {
  if (block.kind !== 'kpis') return
  ensureRoom(paper, FIGURE_HEIGHT + 8)
  const width = (widthOf(paper) + BAND_GAP) / figures.length
  figures.forEach((figure, at) => {
    const box = { x: paper.left + width * at, y: paper.y, width: width - BAND_GAP, height: FIGURE_HEIGHT }
    drawFigure(paper, figure, { label: block.figures[at]?.label ?? '', box, format })
  })
  paper.y += FIGURE_HEIGHT + 10
}

function drawChartBlock(
  drawing: Drawing,
  one: DocumentBlock,
  content: Extract<TileContent, { kind: 'chart' | 'forecast' }>,
): void {
  const { paper, format } = drawing
  if (isPicture(one, format)) {
    ensureRoom(paper, CHART_HEIGHT + 36)
    drawPicture(drawing, one, { x: paper.left, y: paper.y, width: widthOf(paper), height: CHART_HEIGHT })
    paper.y += CHART_HEIGHT + 40
  } else if (content.kind === 'chart') {
    const { table, left, notes } = drawing.tables.get(one) ?? blockTable(content, format)
    drawTitle(drawing, titleOf(one.block, content.name), chartCaption(content, format))
    if (table.rows.length === 0) drawParagraph(paper, 'No rows in this period', SMALL)
    else drawTable(paper, table)
    if (left > 0)
      drawParagraph(paper, `The first ${PAPER_ROWS_MAX} of ${format.count(left + PAPER_ROWS_MAX)} rows.`, SMALL)
    for (const note of notes) drawParagraph(paper, note, SMALL)
  }
  drawNotes(drawing, one)
}

function drawTitle({ paper, heading }: Drawing, title: string, caption: string): void {
  ensureRoom(paper, 90)
  if (title !== heading.open) drawParagraph(paper, title, { ...TITLE, after: 3 })
  heading.open = ''
  if (caption !== '') drawParagraph(paper, caption, SMALL)
}

function drawStatement(
  drawing: Drawing,
  block: ReportBlock,
  content: Extract<TileContent, { kind: 'statement' }>,
): void {
  const { paper, locale } = drawing
  const { statement, language, accounts } = content
  const { company, source, kind, year, notices, decimals } = statement
  const months = spanName({ from: year.start.slice(0, 7), to: year.end.slice(0, 7) }, language)
  const facts = [company.name ?? source.name, months, company.currency]
    .filter((part) => part !== null && part !== '')
    .join(' · ')
  drawTitle(drawing, titleOf(block, STATEMENT_NAMES[kind][language]), facts)
  drawTable(paper, statementTable(statement, { language, locale, accounts }))
  const amount = (value: string): string =>
    statementFigure(value, { format: 'money', kind: 'actual', locale, decimals })
  for (const notice of notices) drawParagraph(paper, noticeText(notice, language, amount), { ...SMALL, after: 2 })
  paper.y += 8
}

function drawText({ paper, heading, period }: Drawing, text: string): void {
  let isRepeated = false
  for (const { kind, text: line, strong } of plainLines(text)) {
    if (kind === 'heading' ? line === heading.open : isRepeated && line === period) {
      isRepeated = true
      continue
    }
    heading.open = kind === 'heading' ? line : ''
    if (kind === 'heading') {
      ensureRoom(paper, 50)
      drawParagraph(paper, line, { size: 13, bold: true, after: 4 })
    } else if (kind === 'item') drawParagraph(paper, `•  ${line}`, { size: 9.5, indent: 8, after: 2 })
    else drawParagraph(paper, line, { size: 9.5, bold: strong, after: 7 })
  }
}

function drawObservation(
  drawing: Drawing,
  block: Extract<ReportBlock, { kind: 'observation' }>,
  { meets, tokens }: Extract<TileContent, { kind: 'observation' }>,
): void {
  const sentence = meets === null ? '' : meets ? block.then : block.otherwise
  if (sentence !== '')
    drawParagraph(drawing.paper, writeTokens(sentence, tokens, drawing.format), { size: 10, bold: true })
}

function drawImage({ paper, pictures }: Drawing, { picture, place }: Extract<ReportBlock, { kind: 'image' }>): void {
  const opened = picture === null ? undefined : pictures.get(picture)
  if (!opened) return
  const height = Math.min(place.h * 24, 300)
  ensureRoom(paper, height + 10)
  paper.doc.image(opened, paper.left, paper.y, { fit: [(widthOf(paper) * place.w) / GRID_COLUMNS, height] })
  paper.y += height + 10
}
