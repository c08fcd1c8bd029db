import { DELIMITER_SIGNS } from '../../shared/data-sources/files'
import { isNumberOrDate } from '../inference/header'

const LINES_MIN = 2
const EVEN_SHARE = 0.9
/** A line that is one quoted cell: quotes in it are doubled. */
const WRAPPED = /^"(?:[^"]|"")*"$/

/** What stands in wrapped lines; null where lines are none, or hold no table. */
export function unwrapText(text: string, isWhole: boolean): string | null {
  const all = text.split(/\r\n?|\n/)
  // The last line may be cut.
  const lines = (isWhole ? all : all.slice(0, -1)).filter((line) => line !== '')
  if (lines.length < LINES_MIN || !lines.every((line) => WRAPPED.test(line))) return null
  const inside = lines.map((line) => line.slice(1, -1).replaceAll('""', '"'))
  // Dates and figures that are quoted for the comma in them.
  if (inside.slice(1).every((line) => isNumberOrDate(line))) return null
  const isTable = DELIMITER_SIGNS.some((delimiter) => {
    const widths = inside.map((line) => line.replaceAll(/"[^"]*"/g, '').split(delimiter).length)
    const [width = 1] = widths
    return width > 1 && widths.filter((one) => one === width).length >= widths.length * EVEN_SHARE
  })
  return isTable ? inside.join('\n') : null
}
