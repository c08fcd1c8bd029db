import { expect, it } from 'vitest'
import { conditionValueText } from './condition-text'

const AMOUNT = { type: 'number', role: 'measure', format: { style: 'currency', currency: 'SEK' } } as const
const COUNT = { type: 'integer', role: 'measure', format: { style: 'plain' } } as const
const SHARE = { type: 'number', role: 'measure', format: { style: 'percent' } } as const
const KEY = { type: 'integer', role: 'id', format: { style: 'plain' } } as const
const DAY = { type: 'date', role: 'time', format: { style: 'plain' } } as const
const TEXT = { type: 'text', role: 'dimension', format: { style: 'plain' } } as const

it.each([
  [100_000, AMOUNT, 'sv-SE', '100 000 kr'],
  ['99999999999999.25', AMOUNT, 'sv-SE', '99 999 999 999 999,25 kr'],
  [100_000, COUNT, 'en-US', '100,000'],
  [0.125, SHARE, 'sv-SE', '12,5 %'],
  [0.000_25, COUNT, 'sv-SE', '0,00025'],
  [100_000, KEY, 'sv-SE', '100000'],
  ['100000', TEXT, 'sv-SE', '100000'],
  ['2024-01-05', DAY, 'sv-SE', 'day 2024-01-05'],
  [null, AMOUNT, 'sv-SE', 'empty'],
  [true, undefined, 'sv-SE', 'yes'],
  [100_000, undefined, 'sv-SE', '100000'],
] as const)('writes %s of a condition as people do', (value, column, locale, text) => {
  const written = conditionValueText(value, column, { locale, day: (iso) => `day ${iso}` })
  expect(written.replaceAll(/\s/g, ' ')).toBe(text)
})
