import type { ChartModel } from './chart-model'
import type { FigureFormat } from './figure-format'
import { NOTHING } from '../../lib/format'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as text: labels come from people's files and the tooltip is HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)

const MAX_LINES = 12

/** The tooltip of one category: every series with its full figure. */
export function tooltipHtml(parts: {
  model: ChartModel
  colours: readonly string[]
  format: FigureFormat
  at: number
}): string {
  const { model, colours, format, at } = parts
  const category = model.categories[at]
  if (!category) return ''
  const lines = model.series.flatMap((series, index) => {
    const point = series.points[at]
    if (!point || (point.value === null && model.series.length > 4)) return []
    const figure = point.value === null ? NOTHING : format.full(point.value, series.column)
    const mark = `<span style="display:inline-block;width:8px;height:8px;border-radius:2px;margin-right:6px;background:${escapeHtml(colours[index] ?? '')};opacity:${series.role === 'comparison' ? 0.45 : 1}"></span>`
    return [
      `<div style="display:flex;justify-content:space-between;gap:16px"><span>${mark}${escapeHtml(series.name)}</span><b style="font-feature-settings:'tnum'">${escapeHtml(figure)}</b></div>`,
    ]
  })
  const more = lines.length > MAX_LINES ? `<div>and ${lines.length - MAX_LINES} more</div>` : ''
  const note = category.incomplete ? '<div>Not complete yet</div>' : ''
  return `<div style="max-width:320px;white-space:normal"><div style="margin-bottom:4px">${escapeHtml(category.label)}</div>${lines.slice(0, MAX_LINES).join('')}${more}${note}</div>`
}
