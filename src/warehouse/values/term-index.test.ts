import { expect, it } from 'vitest'
import { foldValue } from './fold-value'
import { TermIndexBuilder } from './term-index'
import { foldText } from '../../shared/bot/fold-text'
import { LONG } from '../../../test/long'

function indexOf(values: readonly string[], counts: readonly number[] = []) {
  const builder = new TermIndexBuilder()
  for (const [at, value] of values.entries()) builder.add(value, foldValue(value), counts[at] ?? 1)
  return builder.build()
}
const found = (values: readonly string[], phrase: string) =>
  indexOf(values)
    .find(foldText(phrase), 5)
    .map(({ value, how }) => `${how} ${value}`)

it('finds a value by the whole of it, its words, its beginning and with slips, in this order', () => {
  const values = ['Skåne', 'Skåne Län', 'Södra Skåne', 'Skånes', 'Stockholm', 'Office chair']
  expect(found(values, 'skane')).toEqual(['exact Skåne', 'word Skåne Län', 'word Södra Skåne', 'prefix Skånes'])
  expect(found(values, 'Chair')).toEqual(['word Office chair'])
  expect(found(values, 'stokholm')).toEqual(['typo Stockholm'])
  expect(found(values, 'chiar')).toEqual(['typo Office chair'])
})

it('takes slips in short words and in numbers for other words', () => {
  expect(found(['Blue', 'Order 10001', 'C-77'], 'blua')).toEqual([])
  expect(found(['Order 10001'], '10002')).toEqual([])
  expect(found(['Order 10001'], 'order 10002')).toEqual([])
  expect(found(['C-77'], 'c-77')).toEqual(['exact C-77'])
})

it('gives values back as they are, whatever they begin with', () => {
  expect(found(['\ufeffStockholm'], 'stockholm')).toEqual(['exact \ufeffStockholm'])
})

it('finds short texts only whole', () => {
  expect(found(['SE', 'Sea', 'NO'], 'se')).toEqual(['exact SE'])
})

it('puts what most rows hold first among equals', () => {
  const names = indexOf(['Anna Berg', 'Anna Ek', 'Anna Alm'], [1, 9, 3])
  expect(names.find('anna', 2).map(({ value, count }) => [value, count])).toEqual([
    ['Anna Ek', 9],
    ['Anna Alm', 3],
  ])
})

it('folds as questions are folded, whatever the text', () => {
  for (const text of ['Björn’s A/B', "O'Brien & Co.", '  Two   Words ', 'ÅÄÖ', 'C-10001', '', '—', 'Ｆｕｌｌ'])
    expect(foldValue(text)).toBe(foldText(text))
})

it('finds every one of many values, long ones and such as begin alike', () => {
  const long = 'a'.repeat(60)
  const values = Array.from({ length: LONG ? 100_000 : 2_000 }, (_, at) => `Customer ${long} number ${at}`)
  const index = indexOf([...values, ...values.map((value) => value.slice(0, 9) + value.length)].slice(0, values.length))
  for (const value of values.slice(0, 50)) expect(index.find(foldText(value), 1)[0]?.how).toBe('exact')
})
