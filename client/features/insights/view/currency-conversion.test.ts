import { describe, expect, it } from 'vitest'
import { describeConversion, isConverted, describeConversionLine, describeMissingRates } from './currency-conversion'
import { toPlanDraft, buildPlan } from '../builder/build-plan'
import { draftReducer } from '../builder/draft-reducer'
import { hasConvertibleAmounts } from './plan-currencies'
import { defaultCurrencyMode } from '../../../../src/shared/currencies'
import type { CurrencyConversion } from '../../../../src/shared/query/result'
import type { QueryPlan } from '../../../../src/shared/query/plan'
import type { Column } from '../../../../src/shared/data-sources/data-sources'

const DATASET = 'ds_00000000000000000000'
const column = (key: Column['key'], given: Partial<Column>): Column => ({
  ...{ key, label: key, type: 'text', role: 'dimension', format: { style: 'plain' }, hidden: false, fileIndex: 0 },
  ...given,
})
const dataset = {
  id: DATASET,
  name: 'Orders',
  columns: [
    column('c0', { type: 'number', scale: 2, role: 'measure', currencyColumn: 'c1', label: 'Amount' }),
    column('c1', { role: 'currency', label: 'Currency' }),
  ],
}
const plan: QueryPlan = {
  ...{ v: 1, kind: 'aggregate', dataset: DATASET, dimensions: [], filters: [], totals: true },
  measures: [{ kind: 'column', agg: 'sum', field: { dataset: DATASET, column: 'c0' } }],
}
const conversion: CurrencyConversion = {
  code: 'SEK',
  mode: 'closing',
  lines: [
    {
      currency: 'EUR',
      amount: '100',
      rows: 1,
      rate: { least: 11.2, greatest: 11.5 },
      from: '2026-01-30',
      to: '2026-02-27',
      source: 'ecb',
    },
    {
      currency: 'SEK',
      amount: '5',
      rows: 1,
      rate: { least: 1, greatest: 1 },
      from: '2026-01-30',
      to: '2026-01-30',
      source: 'same',
    },
  ],
  missing: [{ currency: 'XXX', rows: 2, amount: '7.5', from: '2026-01-01', to: '2026-01-02' }],
}
const write = { decimal: (value: number | string) => String(value), day: (day: string) => day }

describe('figures in one currency', () => {
  it('tell mode, rates, days and source, and what was left out', () => {
    expect(describeConversion(conversion)).toBe('Converted to SEK at month-end rates.')
    expect(conversion.lines.map((line) => describeConversionLine(line, 'SEK', write))).toEqual([
      '1 EUR in SEK: 11.2 to 11.5, 2026-01-30 – 2026-02-27 (European Central Bank)',
      'SEK: not converted',
    ])
    expect(describeMissingRates(conversion, write.decimal)).toBe('2 rows without a rate are excluded: 7.5 XXX.')
    expect(describeMissingRates({ ...conversion, missing: [] }, write.decimal)).toBeNull()
  })

  it('are offered where there is money, by the mode that fits', () => {
    expect(hasConvertibleAmounts(plan, [dataset])).toBe(true)
    const count: QueryPlan = {
      ...plan,
      measures: [{ kind: 'column', agg: 'count', field: { dataset: DATASET, column: 'c0' } }],
    }
    expect(hasConvertibleAmounts(count, [dataset])).toBe(false)
    expect(defaultCurrencyMode(plan, [dataset], 'automatic')).toBe('transaction')
    expect(defaultCurrencyMode(plan, [dataset], 'budget')).toBe('budget')
    const labels = (names: string[]) => ({ ...dataset, columns: names.map((label, i) => column(`c${i}`, { label })) })
    expect(defaultCurrencyMode(plan, [labels(['Fiscal_year', 'Account', 'Kind', 'Amount'])], 'automatic')).toBe(
      'closing',
    )
    expect(defaultCurrencyMode(plan, [labels(['voucher_key', 'Account', 'Amount'])], 'automatic')).toBe('average')
  })

  it('are chosen in the builder, saved with the insight, and taken back', () => {
    const viz = { chart: 'number', direction: 'up' } as const
    const currency = { code: 'SEK', mode: 'transaction' } as const
    const chosen = draftReducer(toPlanDraft(plan, viz, dataset), { type: 'currency', currency })
    const built = buildPlan(chosen)
    expect(built.ok && built.plan).toMatchObject({ v: 2, currency })
    const again = built.ok ? buildPlan(toPlanDraft(built.plan, viz, dataset)) : built
    expect(again).toEqual(built)
    const back = buildPlan(draftReducer(chosen, { type: 'currency', currency: null }))
    expect(back.ok && back.plan).not.toHaveProperty('currency')
  })
})

it('is told only where there was anything to convert', () => {
  const [line] = conversion.lines
  const same = line ? [{ ...line, currency: 'SEK', source: 'same' as const }] : []
  expect(isConverted(conversion)).toBe(true)
  expect(isConverted({ ...conversion, lines: same, missing: [] })).toBe(false)
  expect(isConverted(undefined)).toBe(false)
})
