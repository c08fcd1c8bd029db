import type { ChartModel } from './chart-model'
import type { FigureFormat } from './figure-format'
import { NOTHING } from '../../lib/format'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as text: labels come from people's files and the tooltip is HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)

const MAX_LINES = 12

export interface TooltipLine {
  name: string
  figure: string
  /** Of the mark before the name; absent for a line that is no mark of the picture. */
  colour?: string
  faint?: boolean
}

const markHtml = ({ colour, faint = false }: TooltipLine): string =>
  colour === undefined
    ? ''
    : `<span style="display:inline-block;width:8px;height:8px;border-radius:2px;margin-right:6px;background:${escapeHtml(colour)};opacity:${faint ? 0.45 : 1}"></span>`

const lineHtml = (line: TooltipLine): string =>
  `<div style="display:flex;justify-content:space-between;gap:16px"><span>${markHtml(line)}${escapeHtml(line.name)}</span><b style="font-feature-settings:'tnum';white-space:nowrap">${escapeHtml(line.figure)}</b></div>`

/** The tooltip of one thing: what it is called, its figures in full, and what is to be known. */
export function cardHtml(card: { title: string; lines: readonly TooltipLine[]; note?: string }): string {
  const { title, lines, note } = card
  const more = lines.length > MAX_LINES ? `<div>and ${lines.length - MAX_LINES} more</div>` : ''
  const last = note === undefined ? '' : `<div>${escapeHtml(note)}</div>`
  return `<div style="max-width:320px;white-space:normal;overflow-wrap:anywhere"><div style="margin-bottom:4px">${escapeHtml(title)}</div>${lines.slice(0, MAX_LINES).map(lineHtml).join('')}${more}${last}</div>`
}

/** The tooltip of one category: every series with its full figure. */
export function tooltipHtml(parts: {
  model: ChartModel
  colours: readonly string[]
  format: FigureFormat
  at: number
  /** What is said of the category, to follow its figures. */
  said?: string
}): string {
  const { model, colours, format, at, said = '' } = parts
  const category = model.categories[at]
  if (!category) return ''
  const lines = model.series.flatMap((series, index): TooltipLine[] => {
    const point = series.points[at]
    if (!point || (point.value === null && model.series.length > 4)) return []
    const figure = point.value === null ? NOTHING : format.full(point.value, series.column)
    return [{ name: series.name, figure, colour: colours[index] ?? '', faint: series.role === 'comparison' }]
  })
  const note = [category.incomplete ? 'Not complete yet' : '', said.replace(/^\. /, '')].filter((one) => one !== '')
  return cardHtml({ title: category.label, lines, ...(note.length > 0 ? { note: note.join('. ') } : {}) })
}
