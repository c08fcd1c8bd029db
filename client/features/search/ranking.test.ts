import { expect, it } from 'vitest'
import { rankItems } from './ranking'

const ranked = (typed: string, labels: string[], recent: string[] = []) =>
  rankItems(
    labels.map((label) => ({ id: label, label })),
    typed,
    recent,
  ).map(({ label }) => label)

it('ranks the name itself first, then its beginning, beginnings of words, parts and slips of a letter', () => {
  expect(ranked('sales', ['Presales', 'Net sales', 'Slaes', 'Sales by region', 'Sales', 'Costs'])).toEqual([
    'Sales',
    'Sales by region',
    'Net sales',
    'Presales',
    'Slaes',
  ])
})
it('finds words in any order by their beginnings, without accents', () => {
  expect(ranked('reg sal', ['Sales by region'])).toEqual(['Sales by region'])
  expect(ranked('oster', ['Östergötland'])).toEqual(['Östergötland'])
})
it('puts what was opened last first among equals', () => {
  expect(ranked('sales', ['Sales A', 'Sales B', 'Sales C'], ['Sales C'])).toEqual(['Sales C', 'Sales A', 'Sales B'])
})
it('takes a slip in a short word for another word', () => {
  expect(ranked('tex', ['Tax'])).toEqual([])
})
