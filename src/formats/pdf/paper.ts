import PDFDocument, { type PageOptions } from 'pdfkit'
import type { PaperFonts } from './fonts'
import { concatBytes } from '../../lib/concat-bytes'

/** Lengths are points: a 72nd of an inch. */
const A4 = { short: 595.28, long: 841.89 }
const MARGIN = 42
/** Above the text of each page: the line of its head. */
const HEAD_HEIGHT = 26
const FOOT_HEIGHT = 24
const HEAD_SIZE = 8

export const PAPER_COLOURS = {
  ink: '#16222c',
  muted: '#566570',
  line: '#c8d1d7',
  faint: '#eef2f4',
  accent: '#0b5c75',
  good: '#1d6b45',
  bad: '#9a2f2f',
} as const

export interface PaperOptions {
  fonts: PaperFonts
  /** Of the document: what a reader's window is called. */
  title: string
  /** Whose paper it is: on the left of every page's head. */
  author: string
  /** BCP 47. */
  language: string
  createdAt: Date
  /** Its first page is wider than high. */
  landscape: boolean
  /** At the foot of every page, on the left. */
  foot: string
  /** `Page 2 of 7`. */
  pageOf: (page: number, of: number) => string
}

/** A document that is being written from top to bottom; what comes next begins at `y`. */
export interface Paper {
  doc: PDFDocument
  options: PaperOptions
  y: number
  /** Of the page that is written on. */
  landscape: boolean
  /** Edges of what may be written on. */
  left: number
  right: number
  top: number
  bottom: number
  widths: Map<string, number>
  ended: Promise<Uint8Array>
}
/** A picture that a document holds, to be drawn as often as is wanted. */
export type PaperImage = ReturnType<PDFDocument['openImage']>
/** How wide what is written on an upright page is at most. */
export const UPRIGHT_WIDTH = A4.short - 2 * MARGIN
export const widthOf = ({ left, right }: Pick<Paper, 'left' | 'right'>): number => right - left

/** Begins a document with its first page. */
export function openPaper(options: PaperOptions): Paper {
  const doc = new PDFDocument({
    ...pageOptions(options),
    // None to begin with: a font that comes by two names is opened at every change.
    font: '',
    bufferPages: true,
    lang: options.language,
    displayTitle: true,
    info: {
      Title: options.title,
      Author: options.author,
      CreationDate: options.createdAt,
      Producer: 'Insikt',
      Creator: 'Insikt',
    },
  })
  doc.registerFont('regular', options.fonts.regular).registerFont('bold', options.fonts.bold)
  const ended = readAll(doc)
  const { landscape } = options
  return { doc, options, ended, landscape, y: TOP, ...edgesOf(doc), widths: new Map<string, number>() }
}

const pageOptions = ({ landscape }: Pick<Paper, 'landscape'>): PageOptions => ({
  size: landscape ? [A4.long, A4.short] : [A4.short, A4.long],
  // Nothing flows by itself: every text is told where it goes.
  margins: { top: 0, right: 0, bottom: 0, left: 0 },
})
const TOP = MARGIN + HEAD_HEIGHT
const edgesOf = ({ page: { width, height } }: PDFDocument): Pick<Paper, 'left' | 'right' | 'top' | 'bottom'> => ({
  ...{ left: MARGIN, right: width - MARGIN, top: TOP, bottom: height - MARGIN - FOOT_HEIGHT },
})

function readAll(doc: PDFDocument): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  const { promise, resolve } = Promise.withResolvers<Uint8Array>()
  doc.on('data', (chunk) => chunks.push(chunk))
  doc.on('end', () => resolve(concatBytes(chunks)))
  return promise
}

/** Begins a page, turned as the one before it unless said. */
export function newPage(paper: Paper, landscape = paper.landscape): void {
  paper.landscape = landscape
  paper.doc.addPage(pageOptions(paper))
  Object.assign(paper, edgesOf(paper.doc))
  paper.y = paper.top
}

/** Begins a page where less than `height` is left of this one. */
export function ensureRoom(paper: Paper, height: number): void {
  if (paper.y + height > paper.bottom && paper.y > paper.top) newPage(paper)
}

export interface TextStyle {
  size: number
  bold?: boolean
  colour?: string
  align?: 'left' | 'right' | 'center'
}
export function setStyle(
  { doc }: Pick<Paper, 'doc'>,
  { size, bold = false, colour = PAPER_COLOURS.ink }: TextStyle,
): void {
  doc
    .font(bold ? 'bold' : 'regular')
    .fontSize(size)
    .fillColor(colour)
}

/** Widths at size 1, by weight and text: laying out is what writing a paper takes its time for. */
const WIDTHS_MAX = 20_000

export function textWidth(paper: Pick<Paper, 'doc' | 'widths'>, text: string, style: TextStyle): number {
  const key = `${style.bold === true ? 'b' : 'r'}${text}`
  const known = paper.widths.get(key)
  if (known !== undefined) return known * style.size
  setStyle(paper, style)
  const width = paper.doc.widthOfString(text)
  if (paper.widths.size < WIDTHS_MAX) paper.widths.set(key, width / style.size)
  return width
}

const ELLIPSIS = '…'
/** A text of one line, cut with an ellipsis where it is wider than `width`. */
export function fitText(paper: Pick<Paper, 'doc' | 'widths'>, text: string, width: number, style: TextStyle): string {
  if (textWidth(paper, text, style) <= width) return text
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (textWidth(paper, text.slice(0, middle).trimEnd() + ELLIPSIS, style) <= width) low = middle
    else high = middle - 1
  }
  return text.slice(0, low).trimEnd() + ELLIPSIS
}

/** One line within a box; what does not fit is cut. */
export function drawLine(
  paper: Pick<Paper, 'doc' | 'widths'>,
  text: string,
  { x, y, width, ...style }: TextStyle & { x: number; y: number; width: number },
): void {
  const shown = fitText(paper, text, width, style)
  const free = width - textWidth(paper, shown, style)
  const shift = style.align === 'right' ? free : style.align === 'center' ? free / 2 : 0
  setStyle(paper, style)
  paper.doc.text(shown, x + shift, y, { lineBreak: false })
}

/** Lines of a text that is broken at its spaces; longer words are cut where they are too wide. */
export function wrapText(
  paper: Pick<Paper, 'doc' | 'widths'>,
  text: string,
  width: number,
  style: TextStyle,
): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/ +/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && textWidth(paper, longer, style) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line].map((one) => fitText(paper, one, width, style))
}

/** A paragraph over the width of the page, over as many pages as it takes. */
export function drawParagraph(
  paper: Paper,
  text: string,
  style: TextStyle & { indent?: number; after?: number },
): void {
  const { indent = 0, after = 6, ...look } = style
  const lineHeight = look.size * 1.4
  for (const line of wrapText(paper, text, widthOf(paper) - indent, look)) {
    ensureRoom(paper, lineHeight)
    drawLine(paper, line, { ...look, x: paper.left + indent, y: paper.y, width: widthOf(paper) - indent })
    paper.y += lineHeight
  }
  paper.y += after
}

interface Rule {
  y?: number
  right?: number
  colour?: string
  width?: number
}
/** A line from the left edge. */
export function drawRule(
  paper: Paper,
  { y = paper.y, right = paper.right, colour = PAPER_COLOURS.line, width = 0.5 }: Rule = {},
): void {
  paper.doc.lineWidth(width).strokeColor(colour).moveTo(paper.left, y).lineTo(right, y).stroke()
}

/** Writes heads and feet, and ends the document. */
export async function finishPaper(paper: Paper): Promise<Uint8Array> {
  const { doc, options } = paper
  const { start, count } = doc.bufferedPageRange()
  const small = { size: HEAD_SIZE, colour: PAPER_COLOURS.muted }
  for (let page = 0; page < count; page += 1) {
    doc.switchToPage(start + page)
    const { left, right, bottom } = edgesOf(doc)
    Object.assign(paper, { left, right })
    const width = right - left
    drawLine(paper, options.author, { ...small, x: left, y: MARGIN, width: width / 2 })
    drawLine(paper, options.title, { ...small, align: 'right', x: left + width / 2, y: MARGIN, width: width / 2 })
    drawRule(paper, { y: MARGIN + 14 })
    const y = bottom + 12
    drawRule(paper, { y: bottom + 6 })
    drawLine(paper, options.foot, { ...small, x: left, y, width: width - 90 })
    drawLine(paper, options.pageOf(page + 1, count), { ...small, align: 'right', x: right - 84, y, width: 84 })
  }
  doc.end()
  return paper.ended
}
