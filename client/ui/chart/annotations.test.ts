import { describe, expect, it } from 'vitest'
import { lightColours } from './chart-colours'
import { buildChartSpec } from './build-chart-spec'
import { timeAxis, type ChartAnnotation } from './annotations'
import { answerOf, country, kronor, quarter, sales } from './chart.fixture'

const settings = { format: kronor, colours: lightColours('sans-serif'), reducedMotion: true }
const note = (start: string, text = 'Price rise <b>'): ChartAnnotation => ({ start, kind: 'note', text })
const drawn = (annotations: readonly ChartAnnotation[], result = quarter()) =>
  buildChartSpec(result, 'line', { format: kronor, annotations })
const seriesOf = (marks: readonly ChartAnnotation[]) => {
  const { series } = drawn(marks)?.option(settings) ?? {}
  return [series].flat().filter((one) => String(one?.id).startsWith('mark:'))
}

describe('marks on a time axis', () => {
  it('stand on the unit that their day lies in, at the height of its figure', () => {
    expect(seriesOf([note('2026-02-17'), { ...note('2026-03-01'), kind: 'unusual' }])).toMatchObject([
      { id: 'mark:unusual', name: 'Finding', data: [[2, 451_770]] },
      { id: 'mark:note', data: [[1, 450_000]] },
    ])
  })

  it('are one pin for a unit however much is said of it, and none outside the axis', () => {
    const [pins] = seriesOf([note('2026-01-01'), note('2026-01-01', 'Again'), note('2031-01-01')])
    expect(pins).toMatchObject({ data: [[0, 400_000]] })
    expect(seriesOf([note('2031-01-01')])).toEqual([])
  })

  it('are said with the figures of their unit when the keyboard reaches it', () => {
    const stops = drawn([note('2026-01-01')])?.keyboardStops ?? []
    expect(stops.map(({ description }) => description.includes('Note: Price rise'))).toEqual([true, false, false])
  })

  it('leave a chart without time as it is', () => {
    const result = answerOf([{ ...country, key: 'd0' }, sales], [['Sweden', 1]])
    const option = buildChartSpec(result, 'bar', { format: kronor, annotations: [note('2026-01-01')] })?.option(
      settings,
    )
    expect([option?.series].flat()).toHaveLength(1)
    expect(timeAxis(result, kronor)).toBeNull()
  })

  it('can be put on every unit of the axis', () => {
    expect(timeAxis(quarter(), kronor)).toEqual({
      grain: 'month',
      buckets: [
        { start: '2026-01-01', label: 'Jan 2026' },
        { start: '2026-02-01', label: 'Feb 2026' },
        { start: '2026-03-01', label: 'Mar 2026' },
      ],
    })
  })
})
