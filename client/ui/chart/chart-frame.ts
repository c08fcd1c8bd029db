import type { RenderSettings, ChartOption } from './chart-spec'
import { describeIncomplete, type ChartModel } from '../../../src/shared/charts/chart-model'
import { capitalize } from '../../../src/shared/text'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'
import { MISSING_VALUE } from '../../../src/shared/figures/figures'
import { shortenNames } from './short-names'

const LEGEND_CHARS = 40
const LEGEND_CHARS_NARROW = 16
/** So few names may take a line each: cut short, a measure and its earlier period read alike. */
const LEGEND_FEW = 3
const LEGEND_CHARS_FEW = 64
const LEGEND_LINE_PX = 24
/** The mark of a name and the gap after it. */
const LEGEND_MARK_PX = 34
const LEGEND_CHAR_PX = 7
/** Of a picture that has not been measured yet. */
export const WIDTH_PX = 720

type LegendSettings = Pick<RenderSettings, 'width' | 'narrow'>
const legendWidthPx = ({ width = WIDTH_PX }: LegendSettings): number => width * 0.94

/** So much of each name is shown. */
function legendChars(settings: LegendSettings, count: number): number {
  const usual = settings.narrow ? LEGEND_CHARS_NARROW : LEGEND_CHARS
  if (count > LEGEND_FEW) return usual
  const line = Math.floor((legendWidthPx(settings) - LEGEND_MARK_PX) / LEGEND_CHAR_PX)
  return Math.max(usual, Math.min(LEGEND_CHARS_FEW, line))
}

/** Lines that the names of a legend take, guessed from their length. */
function legendLines(names: readonly string[], settings: LegendSettings): number {
  const room = legendWidthPx(settings)
  let [lines, used] = [1, 0]
  for (const name of names) {
    const chars = Math.min(name.length, legendChars(settings, names.length))
    const pixels = LEGEND_MARK_PX + chars * LEGEND_CHAR_PX
    if (used > 0 && used + pixels > room) [lines, used] = [lines + 1, 0]
    used += pixels
  }
  return lines
}

export const legendHeightPx = (settings: LegendSettings, names: readonly string[]): number =>
  names.length <= 1 ? 0 : legendLines(names, settings) * LEGEND_LINE_PX

/** Lines of a legend that the usual height of a picture has room for. */
const USUAL_LEGEND_LINES = 2
const NARROW_WIDTH_PX = 300
/** So much higher a picture is than usual, for the lines of its legend, guessed before it is measured. */
export const legendExtraPx = (names: readonly string[], narrow: boolean): number =>
  Math.max(
    0,
    legendHeightPx({ narrow, ...(narrow ? { width: NARROW_WIDTH_PX } : {}) }, names) -
      USUAL_LEGEND_LINES * LEGEND_LINE_PX,
  )

/** What every picture has in common: type, legend on top, tooltip, description. */
export function baseChartOption(settings: RenderSettings, parts: { summary: string; legend: readonly string[] }) {
  const { colours, reducedMotion } = settings
  const legend = parts.legend.length > 1
  const shown = shortenNames(parts.legend, legendChars(settings, parts.legend.length))
  return {
    animation: !reducedMotion,
    animationDuration: 300,
    aria: { enabled: true, label: { description: parts.summary } },
    textStyle: { fontFamily: colours.font, color: colours.text },
    grid: {
      top: legend ? legendHeightPx(settings, parts.legend) + 20 : 16,
      right: 20,
      bottom: 8,
      left: 8,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    legend: {
      show: legend,
      top: 0,
      left: 0,
      type: 'plain' as const,
      formatter: (name: string) => shown[parts.legend.indexOf(name)] ?? name,
      icon: 'roundRect',
      itemWidth: 12,
      itemHeight: 8,
      textStyle: { color: colours.text, fontSize: 12 },
      data: [...parts.legend],
      selected: Object.fromEntries([...(settings.hidden ?? [])].map((name) => [name, false])),
    },
    tooltip: {
      trigger: 'item',
      confine: true,
      backgroundColor: colours.surface,
      borderColor: colours.border,
      textStyle: { color: colours.text, fontSize: 13 },
      transitionDuration: reducedMotion ? 0 : 0.2,
    },
  } satisfies ChartOption
}

/** A picture on a card: nothing but the marks. */
export const bareChartOption = (summary: string) =>
  ({
    animation: false,
    aria: { enabled: true, label: { description: summary } },
    grid: { top: 4, right: 2, bottom: 2, left: 2, outerBoundsMode: 'none' },
  }) satisfies ChartOption

/** Diagonal lines over what is not complete yet. */
export const hatchPattern = (colour: string) => ({
  symbol: 'rect' as const,
  dashArrayX: [1, 0],
  dashArrayY: [3, 3],
  rotation: -Math.PI / 4,
  color: colour,
})

/** Room for a name beside an axis, in pixels. */
export const categoryLabelWidth = (settings: RenderSettings): number => (settings.narrow ? 92 : 170)

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

export function tooltipCardHtml(card: { title: string; lines: readonly TooltipLine[]; note?: string }): string {
  const { title, lines, note } = card
  const more = lines.length > TOOLTIP_LINES_MAX ? `<div>and ${lines.length - TOOLTIP_LINES_MAX} more</div>` : ''
  const last = note === undefined ? '' : `<div>${escapeHtml(note)}</div>`
  return `<div style="max-width:320px;white-space:normal;overflow-wrap:anywhere"><div style="margin-bottom:4px">${escapeHtml(title)}</div>${lines.slice(0, TOOLTIP_LINES_MAX).map(lineHtml).join('')}${more}${last}</div>`
}

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
  const note = [
    category.incomplete ? capitalize(describeIncomplete(category)) : '',
    annotationText.replace(/^\. /, ''),
  ].filter((one) => one !== '')
  return tooltipCardHtml({ title: category.label, lines, ...(note.length > 0 ? { note: note.join('. ') } : {}) })
}
