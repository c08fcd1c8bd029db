import { describe, expect, it } from 'vitest'
import { createCellFormatter } from '../../../../src/shared/figures/cell-formatter'
import { createFormatter } from '../../../../src/shared/figures/formatter'
import { kronor } from '../../../ui/chart/chart.fixture'
import { describeBias, coverageLines, errorRows, modelFacts } from './model-card'
import { resultOf, splitResult } from '../forecasts.fixture'
import { forecastColumns, forecastTableRows } from '../view/forecast-table'
import { createForecastFormatter } from '../../../../src/shared/forecasts/forecast-formatter'
import type { ForecastResult } from '../../../../src/shared/forecasts/result'

const RESULT = resultOf()
const words = createForecastFormatter(RESULT, kronor)
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ')
const said = (total: Partial<ForecastResult['total']> = {}) =>
  new Map(
    modelFacts({ ...RESULT.total, ...total }, RESULT, words).map(({ term, lines }) => [term, plain(lines.join('. '))]),
  )

describe('the model card', () => {
  it('names the methods, the season, the history and what was tried and not kept', () => {
    const facts = said()
    expect(facts.get('Method')).toBe('Ensemble of several models. Median of the models')
    expect(facts.get('Models')).toBe('theta, dynamic optimised theta, exponential smoothing (ETS)')
    expect(facts.get('Seasonality')).toBe('12 months. Multiplicative')
    expect(facts.get('History')).toBe('46 months to Oct 2026')
    expect(facts.get('Also tested')).toContain('not used')
  })

  it('says why the simple way is used where the blend did not beat it, and what could not be loaded', () => {
    const { backtest, card } = RESULT.total
    const naive = said({ method: 'seasonal naive', backtest: backtest && { ...backtest, method: 'seasonal naive' } })
    expect(naive.get('Method')).toContain('isn’t clearly better')
    expect(said({ card: card && { ...card, withoutEngines: true } }).get('Models')).toContain(
      'Some models couldn’t load',
    )
  })

  it('names the model that is used, and a season only where one is used', () => {
    const { backtest, card } = RESULT.total
    const noSeason = card && { ...card, season: null, seasonKind: null }
    const used = { method: 'seasonal naive' as const, card: noSeason }
    const repeated = said({ ...used, backtest: backtest && { ...backtest, method: 'seasonal naive' } })
    expect(repeated.get('Method')).toContain('Seasonal naive')
    expect(repeated.get('Seasonality')).toBe('Last 12 months repeated')
    const last = said({ ...used, backtest: backtest && { ...backtest, method: 'seasonal naive', season: 1 } })
    expect(last.get('Method')).toMatch(/^Naive/)
    expect(last.get('Seasonality')).toBe('None found')
    expect(said({ card: noSeason }).get('Seasonality')).toBe('None found')
    expect(said({ card: noSeason && { ...noSeason, used: 20 } }).get('Seasonality')).toBe('Not enough history')
  })

  it('holds each model once, the smallest error first, and names the reference as such', () => {
    const { backtest } = RESULT.total
    if (!backtest) throw new Error('no backtest')
    const rows = (over: Partial<typeof backtest>): string[] =>
      errorRows({ ...backtest, ...over }).map(({ name }) => name)
    expect(errorRows(backtest).map(({ name, mae }) => [name, mae])).toEqual([
      ['This forecast', 4200],
      ['Seasonal naive (reference)', 5600],
      ['Naive', 7000],
    ])
    expect(rows({ naive: { mase: 0.7, mae: 4000 } })).toEqual(['Naive', 'This forecast', 'Seasonal naive (reference)'])
    const repeated = { method: 'seasonal naive' as const, used: { ...backtest.used, mae: 5600 } }
    expect(rows({ ...repeated, blend: { mase: 1.2, mae: 6500 } })).toEqual([
      'This forecast: Seasonal naive (reference)',
      'Ensemble (not used)',
      'Naive',
    ])
    // A past shorter than a season repeats its last value: one model, one row.
    const short = { seasonalNaive: backtest.naive }
    expect(rows(short)).toEqual(['This forecast', 'Naive (reference)'])
    expect(rows({ season: 1, ...short })).toEqual(['This forecast', 'Naive (reference)'])
  })

  it('tells coverage by counts, and which side errors lean to', () => {
    const { backtest } = RESULT.total
    if (!backtest) throw new Error('no backtest')
    expect(coverageLines(backtest.used, words).map(({ line }) => plain(line))).toContain('80 %: 29 of 36 (80,6 %)')
    expect(plain(describeBias(backtest.used, words))).toBe('500 kr too high on average')
    expect(describeBias({ bias: 1, mae: 4200 }, words)).toBe('None')
  })
})

describe('the table of a forecast', () => {
  it('has the year before beside each period, every band, and a column for each part', () => {
    const result = splitResult()
    const ahead = forecastTableRows(result, {}).filter(({ isAhead }) => isAhead)
    expect(ahead).toHaveLength(12)
    expect(ahead[1]).toMatchObject({ start: '2026-12-01', before: 120_000, mean: 125_000 })
    expect(ahead[0]?.parts).toEqual([63_000, 42_000])
    const columns = forecastColumns(result, { withPast: true, withParts: true }, words)
    expect(columns.map(({ value }) => ahead[0] && value(ahead[0]))).toEqual([
      ...['2026-11-01', null, 105_000, 100_000, 100_000, 110_000, 95_000, 115_000, 85_000, 125_000, 63_000, 42_000],
    ])
    expect(columns.map(({ label }) => plain(label)).slice(4)).toEqual([
      ...['50 % lower', '50 % upper', '80 % lower', '80 % upper', '95 % lower', '95 % upper', 'Tools', 'Paint'],
    ])
  })

  it('names periods as the person writes dates', () => {
    const inSwedish = createFormatter({
      ...{ numberLocale: 'sv-SE', currency: 'SEK', timeZone: 'UTC', dateLocale: 'sv-SE' },
    })
    const swedish = createForecastFormatter(RESULT, createCellFormatter(inSwedish))
    const [first] = forecastTableRows(RESULT, {}).filter(({ isAhead }) => isAhead)
    const [period] = forecastColumns(RESULT, { withPast: false, withParts: false }, swedish)
    expect(first && period?.text?.(first)).toBe('nov. 2026')
  })

  it('of one part has no parts of its own', () => {
    expect(forecastTableRows(splitResult(), { part: 0 }).every(({ parts }) => parts.length === 0)).toBe(true)
  })
})

describe('a figure in a sentence of a forecast', () => {
  it('has three digits and a unit once it is large, and stays whole in a table', () => {
    expect(plain(words.rounded(66_029_218))).toBe('66 Mkr')
    expect(plain(words.rounded(-3_804_241))).toBe('−3,8 Mkr')
    expect(plain(words.rounded(1_284_000))).toBe('1,28 Mkr')
    expect(plain(words.rounded(612_495))).toBe('612 tkr')
    expect(plain(words.rounded(12_450.4))).toBe('12 450 kr')
    expect(plain(words.figure(66_029_218))).toBe('66 029 218 kr')
    expect(plain(words.points(0.012))).toBe('1,2 pp')
  })
})
