import { describe, expect, it } from 'vitest'
import { headline, keyFigure, changeVerdict } from '../../../src/shared/charts/headline'
import { answerOf, compared, kronor, quarter, sales } from './chart.fixture'

/** Plain spaces instead of the locale's narrow ones. */
const plain = (text: string | null): string | undefined => text?.replace(/[\u00a0\u202f]/g, ' ')

describe('headline', () => {
  it('says change in per cent, amount and the compared period', () => {
    expect(plain(headline(quarter(), kronor))).toBe('Sales fell 12,4 % (−184 tkr) vs Jan–Mar 2025.')
  })

  it('says so far when the period is still running', () => {
    const { period } = quarter()
    const running = quarter({ period: period && { ...period, incomplete: true } })
    expect(plain(headline(running, kronor))).toContain('(−184 tkr) so far vs')
  })

  it('says only the figure and its period without a comparison', () => {
    const { period } = quarter()
    const alone = answerOf([sales], [[1234.5]], { period: period && { ...period, compare: null } })
    expect(plain(headline(alone, kronor))).toBe('Sales: 1 235 kr (Jan–Mar 2026).')
  })

  it('says unchanged instead of a change of nothing', () => {
    const same = answerOf(compared, [[500, 500, 0, 0]], { period: quarter().period })
    expect(plain(headline(same, kronor))).toBe('No change in Sales vs Jan–Mar 2025: 500 kr.')
  })

  it('leaves out a percentage of nothing', () => {
    const fromZero = answerOf(compared, [[500, 0, 500, null]], { period: quarter().period })
    expect(plain(headline(fromZero, kronor))).toBe('Sales rose by 500 kr vs Jan–Mar 2025.')
  })

  it('leaves out a percentage from a base below zero', () => {
    const loss = answerOf(compared, [[-5, -20, 15, 0.75]], { period: quarter().period })
    expect(plain(headline(loss, kronor))).toBe('Sales rose by 15 kr vs Jan–Mar 2025.')
  })

  it('says how far a gain became a loss', () => {
    const turned = answerOf(compared, [[-20, 5, -25, -5]], { period: quarter().period })
    expect(plain(headline(turned, kronor))).toBe('Sales fell 500 % (−25 kr) vs Jan–Mar 2025.')
  })

  it('says which way a share went by its verb alone', () => {
    const share = (column: (typeof compared)[number]) => ({ ...column, format: { style: 'percent' } as const })
    const less = answerOf(compared.map(share), [[0.342, 0.345, -0.003, null]], { period: quarter().period })
    expect(plain(headline(less, kronor))).toBe('Sales fell by 0,3 pp vs Jan–Mar 2025.')
  })

  it('writes a share as the key figure beside it does', () => {
    const margin = { ...sales, format: { style: 'percent' } as const }
    const { period } = quarter()
    const alone = answerOf([margin], [[0.36]], { period: period && { ...period, compare: null } })
    expect(plain(headline(alone, kronor))).toContain('36,0 %')
    expect(plain(kronor.full(0.36, margin))).toBe('36,0 %')
    expect(plain(kronor.round(0.36, margin))).toBe('36,0 %')
  })

  it('leaves a figure of all time to the key figure, which says it in full', () => {
    expect(headline(answerOf([sales], [[2328.6]]), kronor)).toBeNull()
  })

  it('says nothing without rows or without a figure', () => {
    expect(headline(answerOf([sales], []), kronor)).toBeNull()
    expect(headline(answerOf([sales], [[null]]), kronor)).toBeNull()
    expect(headline(answerOf([{ ...sales, type: 'text' }], [['Prague']]), kronor)).toBeNull()
  })

  it('claims no cause', () => {
    expect(headline(quarter(), kronor)).not.toMatch(/because|due to|thanks|caused/i)
  })

  it('says where the data begin of the period compared with', () => {
    const { period } = quarter()
    const compare = { from: '2025-01-01', to: '2025-03-31', label: 'Jan–Mar 2025', dataFrom: '2025-02-20' }
    expect(plain(headline(quarter({ period: period && { ...period, compare } }), kronor))).toBe(
      'Sales fell 12,4 % (−184 tkr) vs Jan–Mar 2025 (data from 20 Feb 2025).',
    )
  })

  it('says where the data of a past period end', () => {
    const { period } = quarter()
    const past = period && { ...period, compare: null, dataTo: '2026-03-30' }
    expect(plain(headline(answerOf([sales], [[1234.5]], { period: past }), kronor))).toBe(
      'Sales: 1 235 kr (Jan–Mar 2026, data to 30 Mar 2026).',
    )
    const whole = past && { ...past, label: 'All time' }
    expect(plain(headline(answerOf([sales], [[1234.5]], { period: whole }), kronor))).toBe(
      'Sales: 1 235 kr (all time, data to 30 Mar 2026).',
    )
    // A week that is whole is no less so as two days of the next one are there.
    const goingOn = past && { ...past, dataTo: '2026-04-02' }
    expect(plain(headline(answerOf([sales], [[1234.5]], { period: goingOn }), kronor))).toBe(
      'Sales: 1 235 kr (Jan–Mar 2026).',
    )
  })
})

describe('keyFigure', () => {
  it('computes the change of exact text when the answer carries none', () => {
    const { column: _column, ...figure } =
      keyFigure(answerOf(compared, [['90071992547409.93', '90', null, null]])) ?? {}
    expect(figure).toMatchObject({ value: '90071992547409.93', previous: '90' })
  })

  it('is nothing for records and for measures that do not exist', () => {
    expect(keyFigure(quarter(), 3)).toBeNull()
    expect(keyFigure({ ...quarter(), kind: 'rows' })).toBeNull()
  })
})

describe('verdict', () => {
  it.each([
    [5, 'up', 'good'],
    [-5, 'up', 'bad'],
    [5, 'down', 'bad'],
    [-5, 'down', 'good'],
    [5, 'none', 'neutral'],
    [0, 'up', 'neutral'],
    [null, 'up', 'neutral'],
  ] as const)('of %s with %s as favourable is %s', (change, direction, expected) => {
    expect(changeVerdict(change, direction)).toBe(expected)
  })
})
