import { expect, it } from 'vitest'
import { resultTextTable } from './result-table'
import { answerOf, country, kronor, sales } from '../chart/chart.fixture'

const amounts = (...cells: number[]): string[] =>
  resultTextTable(
    answerOf(
      [country, sales],
      cells.map((cell) => ['Sweden', cell]),
    ),
    kronor,
  ).rows.map(({ cells: [, amount = ''] }) => amount.replaceAll('\u00a0', ' '))

it('shows minor units in every amount of a column or in none, so that they line up', () => {
  expect(amounts(1234.5, 3000)).toEqual(['1 234,50 kr', '3 000,00 kr'])
  expect(amounts(1234, 3000)).toEqual(['1 234 kr', '3 000 kr'])
})
