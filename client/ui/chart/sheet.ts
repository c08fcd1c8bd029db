import type { ChartColours } from './chart-colours'

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
export const EXPORT_SCALE = 2
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

/** A text cut to a width, with an ellipsis. */
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
  if (!context) throw new TypeError('This browser cannot draw pictures.')
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

export const EXPORT_BODY_PX = EXPORT_PAGE_PX - 2 * PAGE_PADDING_PX
