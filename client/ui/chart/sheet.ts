import type { ChartColours } from './chart-colours'

/** What stands around a picture that leaves the product, so that it explains itself years later. */
export interface SheetText {
  title: string
  subtitle: string
  /** Below the picture, one sentence a line. */
  notes: readonly string[]
  /** Last line: source, date. */
  foot: string
}

/** What stands between head and foot; painted with its upper left corner at 0, 0. */
export interface SheetBody {
  height: number
  paint(context: CanvasRenderingContext2D, width: number): void
}

const SHEET_PX = 1200
export const SHEET_SCALE = 2
const PAD = 40
const TITLE = { px: 28, line: 36, weight: 620 }
const TEXT = { px: 16, line: 24, weight: 400 }
const SMALL = { px: 14, line: 21, weight: 400 }
type Type = typeof TITLE

const fontOf = ({ px, weight }: Type, { font }: ChartColours): string => `${weight} ${px}px ${font}`

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

/** A text cut to a width, with an ellipsis. */
export function cutText(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text
  let cut = text
  while (cut.length > 1 && measure(`${cut}…`) > width) cut = cut.slice(0, -1)
  return `${cut}…`
}

interface Block {
  type: Type
  colour: string
  lines: string[]
  /** Free space above. */
  above: number
}

function blocksOf(context: CanvasRenderingContext2D, text: SheetText, colours: ChartColours) {
  const block = (type: Type, colour: string, parts: readonly string[], above: number): Block => {
    context.font = fontOf(type, colours)
    const measure = (part: string): number => context.measureText(part).width
    return { type, colour, above, lines: parts.flatMap((part) => wrapText(part, SHEET_PX - 2 * PAD, measure)) }
  }
  return {
    head: [block(TITLE, colours.text, [text.title], 0), block(TEXT, colours.dimmed, [text.subtitle], 4)],
    foot: [block(SMALL, colours.dimmed, text.notes, 14), block(SMALL, colours.dimmed, [text.foot], 14)],
  }
}

const heightOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { above, type, lines }) => sum + above + type.line * lines.length, 0)

function write(
  context: CanvasRenderingContext2D,
  blocks: readonly Block[],
  parts: { top: number; colours: ChartColours },
) {
  let top = parts.top
  context.textBaseline = 'alphabetic'
  context.textAlign = 'left'
  for (const { type, colour, lines, above } of blocks) {
    top += above
    context.font = fontOf(type, parts.colours)
    context.fillStyle = colour
    for (const line of lines) {
      context.fillText(line, PAD, top + type.px)
      top += type.line
    }
  }
}

/** A page of paper: title, subtitle, picture, notes and source. @throws TypeError where canvases cannot be drawn on */
export function sheetCanvas(text: SheetText, body: SheetBody, colours: ChartColours): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!context) throw new TypeError('This browser cannot draw pictures.')
  const { head, foot } = blocksOf(context, text, colours)
  const bodyTop = PAD + heightOf(head) + 20
  const footTop = bodyTop + body.height
  canvas.width = SHEET_PX * SHEET_SCALE
  canvas.height = Math.ceil(footTop + heightOf(foot) + PAD) * SHEET_SCALE
  context.scale(SHEET_SCALE, SHEET_SCALE)
  context.fillStyle = colours.surface
  context.fillRect(0, 0, canvas.width, canvas.height)
  write(context, head, { top: PAD, colours })
  write(context, foot, { top: footTop, colours })
  context.save()
  context.translate(PAD, bodyTop)
  body.paint(context, SHEET_PX - 2 * PAD)
  context.restore()
  return canvas
}

export const SHEET_BODY_PX = SHEET_PX - 2 * PAD
