import type { ChartModel } from './chart-model'
import type { CellFormatter } from './figure-format'
import { MISSING_VALUE } from '../../lib/format'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as text: labels come from people's files and the tooltip is HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)

const TOOLTIP_LINES_MAX = 12

export interface TooltipLine {
  name: string
  figure: string
  /** Of the mark before the name; absent for a line that is no mark of the picture. */
  colour?: string
  faint?: boolean
}

const swatchHtml = ({ colour, faint = false }: TooltipLine): string =>
  colour === undefined
    ? ''
    : `<span style="display:inline-block;width:8px;height:8px;border-radius:2px;margin-right:6px;background:${escapeHtml(colour)};opacity:${faint ? 0.45 : 1}"></span>`

const lineHtml = (line: TooltipLine): string =>
  `<div style="display:flex;justify-content:space-between;gap:16px"><span>${swatchHtml(line)}${escapeHtml(line.name)}</span><b style="font-feature-settings:'tnum';white-space:nowrap">${escapeHtml(line.figure)}</b></div>`

/** The tooltip of one thing: what it is called, its figures in full, and what is to be known. */
export function tooltipCardHtml(card: { title: string; lines: readonly TooltipLine[]; note?: string }): string {
  const { title, lines, note } = card
  const more = lines.length > TOOLTIP_LINES_MAX ? `<div>and ${lines.length - TOOLTIP_LINES_MAX} more</div>` : ''
  const last = note === undefined ? '' : `<div>${escapeHtml(note)}</div>`
  return `<div style="max-width:320px;white-space:normal;overflow-wrap:anywhere"><div style="margin-bottom:4px">${escapeHtml(title)}</div>${lines.slice(0, TOOLTIP_LINES_MAX).map(lineHtml).join('')}${more}${last}</div>`
}

/** The tooltip of one category: every series with its full figure. */
export function categoryTooltipHtml(parts: {
  model: ChartModel
  colours: readonly string[]
  format: CellFormatter
  at: number
  /** What is said of the category, to follow its figures. */
  annotationText?: string
}): string {
  const { model, colours, format, at, annotationText = '' } = parts
  const category = model.categories[at]
  if (!category) return ''
  const lines = model.series.flatMap((series, index): TooltipLine[] => {
    const point = series.points[at]
    if (!point || (point.value === null && model.series.length > 4)) return []
    const figure = point.value === null ? MISSING_VALUE : format.full(point.value, series.column)
    return [{ name: series.name, figure, colour: colours[index] ?? '', faint: series.role === 'comparison' }]
  })
  const note = [category.incomplete ? 'Not complete yet' : '', annotationText.replace(/^\. /, '')].filter(
    (one) => one !== '',
  )
  return tooltipCardHtml({ title: category.label, lines, ...(note.length > 0 ? { note: note.join('. ') } : {}) })
}
