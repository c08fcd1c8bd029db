import { describe, expect, it } from 'vitest'
import { CHARTS, type ChartKind } from '../../../src/shared/insights'
import type { QueryResult } from '../../../src/shared/query/result'
import { toNumber } from '../../../src/shared/figures/cell-formatter'
import { buildChartSpec } from './build-chart-spec'
import { lightColours } from './chart-colours'
import { columnsOfKind } from '../../../src/shared/charts/chart-model'
import type { ChartSpec } from './chart-spec'
import { drawChart, type DrawnChart } from './chart-svg.fixture'
import { kronor } from './chart.fixture'
import { shortenNames } from './short-names'
import { ODD_ANSWERS } from './odd-answers.fixture'
import { LONG } from '../../../test/long'

const { dimmed } = lightColours('')
const UNITS: Record<string, number> = { '': 1, kr: 1, tkr: 1e3, Mkr: 1e6, Mdkr: 1e9, k: 1e3, M: 1e6 }
const FIGURE = /^([−-]?[\d ]+(?:,(\d+))?)(?: ?(kr|tkr|Mkr|Mdkr|k|M))?$/

interface Tick {
  value: number
  decimals: number
}
/** A text as a figure in Swedish notation; null for any other. */
function figureOf(text: string): Tick | null {
  const found = FIGURE.exec(text)
  if (!found) return null
  const value = Number((found[1] ?? '').replace(/ /g, '').replace('−', '-').replace(',', '.'))
  return { value: value * (UNITS[found[3] ?? ''] ?? 1), decimals: found[2]?.length ?? 0 }
}

/** Figures on the axes of a picture, first those of the first axis. */
const ticksOf = ({ texts }: DrawnChart): Tick[] =>
  texts.flatMap(({ text, fill }) => (fill === dimmed ? (figureOf(text) ?? []) : []))

interface Case {
  chart: ChartKind
  answer: QueryResult
  drawing: ChartSpec
}
const CASES = Object.entries(ODD_ANSWERS).flatMap(([name, answer]) =>
  CHARTS.flatMap((chart): [string, Case][] => {
    const drawing = buildChartSpec(answer, chart, { format: kronor })
    return drawing ? [[`${chart} of ${name}`, { chart, answer, drawing }]] : []
  }),
)
/** What most charts have found hard; the long run draws every answer. */
const HARDEST = [
  'fourteen stacks',
  'forty categories',
  'both signs',
  'small change of much',
  'two figures far from zero',
]
const DRAWN = LONG ? CASES : CASES.filter(([name]) => HARDEST.some((answer) => name.endsWith(` of ${answer}`)))
const singleAxis = DRAWN.filter(([, { chart, answer }]) => {
  const units = new Set(columnsOfKind(answer, 'measure').map(({ column }) => column.type + column.format.style))
  return chart !== 'scatter' && chart !== 'heatMap' && units.size === 1
})

const valuesOf = (answer: QueryResult): number[] =>
  columnsOfKind(answer, 'measure').flatMap(({ at }) => answer.rows.flatMap((row) => toNumber(row[at]) ?? []))

describe('every chart over odd answers', () => {
  it('is drawn for each kind that draws', () => {
    expect(new Set(DRAWN.map(([, { chart }]) => chart)).size).toBe(CHARTS.length - NOT_DRAWN.length)
  })

  it.each(singleAxis)(
    '%s: marks lie evenly, in one notation, around all figures',
    (_name, { chart, answer, drawing }) => {
      for (const width of [720, 320]) {
        const ticks = ticksOf(drawChart(drawing, { width, narrow: width < 400 }))
        const broken = drawing.notes.some((note) => note.includes('broken'))
        const values = ticks.map(({ value }) => value).slice(broken ? 1 : 0)
        // Beside a break there may be room for one mark only.
        expect(values.length).toBeGreaterThanOrEqual(broken && width < 400 ? 1 : 2)
        const step = (values[1] ?? 0) - (values[0] ?? 0)
        for (const [at, value] of values.entries())
          expect(value).toBeCloseTo((values[0] ?? 0) + at * step, Math.abs(step) < 1 ? 6 : 2)
        const decimals = new Set(ticks.filter(({ value }) => value !== 0).map((tick) => tick.decimals))
        expect(decimals.size).toBe(1)
        const figures = valuesOf(answer)
        if (figures.length === 0 || chart === 'waterfall') continue
        expect(Math.max(...values)).toBeGreaterThanOrEqual(Math.max(...figures))
        expect(Math.min(...values)).toBeLessThanOrEqual(Math.min(...figures))
      }
    },
  )

  it.each(DRAWN)('%s: no text is missing, cut to nothing or said of no figure', (_name, { drawing }) => {
    for (const width of [720, 320]) {
      const { texts } = drawChart(drawing, { width, narrow: width < 400 })
      for (const { text } of texts) expect(text).not.toMatch(/NaN|null|undefined|Infinity|∞/)
      expect(texts.length).toBeGreaterThan(0)
    }
    const words = [drawing.summary, ...drawing.notes, ...drawing.keyboardStops.map(({ description }) => description)]
    for (const line of words) expect(line).not.toMatch(/NaN|null|undefined|Infinity|∞/)
  })

  it.each(DRAWN)('%s: its words hold every figure in full', (_name, { chart, answer, drawing }) => {
    if (chart === 'waterfall' || drawing.notes.length > 0) return
    const words = drawing.keyboardStops.map(({ description }) => description).join('\n')
    for (const { column, at } of columnsOfKind(answer, 'measure'))
      for (const row of answer.rows.slice(0, drawing.keyboardStops.length * 8))
        if (toNumber(row[at]) !== null && wasSaid(answer)) expect(words).toContain(kronor.full(row[at] ?? null, column))
  })
})

/** Of more series than a screen reader is told, some figures are in the table only. */
const wasSaid = (answer: QueryResult): boolean => columnsOfKind(answer, 'dimension').length < 2
/** Kinds that are a table or a number. */
const NOT_DRAWN: readonly ChartKind[] = CHARTS.filter((chart) =>
  Object.values(ODD_ANSWERS).every((answer) => buildChartSpec(answer, chart, { format: kronor }) === null),
)

describe('names of categories', () => {
  const draw = (name: string, chart: ChartKind, width: number): { names: string[]; all: string[] } => {
    const answer = ODD_ANSWERS[name]
    const drawing = answer && buildChartSpec(answer, chart, { format: kronor })
    if (!answer || !drawing) throw new TypeError(`${chart} does not draw ${name}`)
    const { texts } = drawChart(drawing, { width, narrow: width < 400 })
    const all = answer.rows.map((row) => String(row[0]))
    return { all, names: texts.filter(({ fill }) => fill === dimmed).map(({ text }) => text) }
  }

  it.each(['bar', 'groupedBar', 'stackedBar', 'line', 'area', 'combined'] as const)(
    'are all there in a %s, or the picture says how many are',
    (chart) => {
      for (const width of [1100, 720, 320]) {
        const { names, all } = draw('forty categories', chart, width)
        const shown = all.filter((name) => names.includes(name)).length
        const said = names.find((text) => text.endsWith(`of ${all.length} labels`))
        expect(said ?? all.length).toBe(shown === all.length ? all.length : `${shown} of ${all.length} labels`)
      }
    },
  )

  it.each(['bar', 'line', 'combined', 'waterfall'] as const)(
    'that are long are cut in a %s, each in its own way',
    (chart) => {
      const { names, all } = draw('long Swedish names', chart, 720)
      const shortened = names.filter((text) => text.startsWith('Kund') && text.includes('…'))
      expect(new Set(shortened).size).toBe(all.length)
    },
  )

  it('are cut in the middle only where their beginnings are the same', () => {
    expect(shortenNames(['Underhåll av fläktar 1', 'Underhåll av fläktar 2', 'Måleri och tapetsering'], 16)).toEqual([
      'Underhåll…ktar 1',
      'Underhåll…ktar 2',
      'Måleri och tape…',
    ])
  })
})

describe('a stack of twelve', () => {
  it('has twelve colours', () => {
    const answer = ODD_ANSWERS['twelve stacks']
    const drawing = answer && buildChartSpec(answer, 'stackedBar', { format: kronor })
    const { svg } = drawing ? drawChart(drawing) : { svg: '' }
    const palette = lightColours('').series
    expect(palette.filter((colour) => svg.includes(`fill="${colour}"`))).toHaveLength(12)
  })
})

describe('axes that do not begin at zero', () => {
  const draw = (name: string, chart: ChartKind): { ticks: number[]; drawing: ChartSpec } => {
    const answer = ODD_ANSWERS[name]
    const drawing = answer && buildChartSpec(answer, chart, { format: kronor })
    if (!drawing) throw new TypeError(`${chart} does not draw ${name}`)
    return { drawing, ticks: ticksOf(drawChart(drawing)).map(({ value }) => value) }
  }

  it('of points begin near the nearest of them', () => {
    const { ticks } = draw('two figures far from zero', 'scatter')
    expect(Math.min(...ticks.filter((value) => value < 1_000))).toBeGreaterThanOrEqual(100)
    expect(Math.min(...ticks.filter((value) => value > 1_000))).toBeGreaterThanOrEqual(5_000 - 25)
  })

  it('of a waterfall are broken above a zero that is shown, and say so', () => {
    const { ticks, drawing } = draw('small change of much', 'waterfall')
    expect(ticks[0]).toBe(0)
    expect(ticks[1]).toBeGreaterThan(7_000_000)
    expect(drawing.notes).toEqual(['The axis is broken above zero.'])
  })

  it('of a waterfall of figures from nothing are whole', () => {
    const { ticks, drawing } = draw('millions', 'waterfall')
    expect(ticks.slice(0, 2)).toEqual([0, 500_000])
    expect(drawing.notes).toEqual([])
  })
})
