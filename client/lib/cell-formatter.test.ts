import { expect, it } from 'vitest'
import { amountColumn, createCellFormatter } from './cell-formatter'
import { createFormatter } from './format'

const cells = createCellFormatter(createFormatter({ numberLocale: 'sv-SE', currency: 'SEK', timeZone: 'UTC' }))
const PLAIN = { style: 'plain' } as const
const SEK = { style: 'currency', currency: 'SEK' } as const

it.each([
  ['of amounts with fractions', PLAIN, ['1101.36', 195.1, null, 7], ['1 101,36', '195,10', '–', '7,00']],
  ['of whole ones', PLAIN, [1101, 7], ['1 101', '7']],
  ['of money', SEK, [1101.5, 7], ['1 101,50 kr', '7,00 kr']],
] as const)('writes the figures of a list alike, and none rounded: %s', (_, format, values, written) => {
  const column = amountColumn(format, values)
  expect(values.map((value) => cells.full(value, column).replaceAll(/\s/g, ' '))).toEqual(written)
})
