import { expect, it } from 'vitest'
import { compareRows, isAnotherOfTheTie, type ShownRows, type WantedRows } from './nlq-rows'
import type { Cell, ResultColumn } from '../../src/shared/query/result'

const column = (key: string, more: Partial<ResultColumn> = {}): ResultColumn => ({
  ...{ key, label: key, kind: 'measure', type: 'number', format: { style: 'plain' } },
  ...more,
})
const answer = (
  rows: Cell[][],
  columns: ResultColumn[] = rows[0]?.map((_, i) => column(`m${i}`)) ?? [],
): ShownRows => ({
  rows,
  columns,
})
const wanted = (rows: WantedRows['rows'], more: Partial<WantedRows> = {}): WantedRows => ({
  ...{ rows, columns: rows[0]?.map((_, i) => `w${i}`) ?? [], ordered: false },
  ...more,
})
const verdict = (got: ShownRows, want: WantedRows): string => compareRows(got, want).kind

it('takes columns and rows in any order, and numbers as text', () => {
  expect(
    verdict(
      answer([
        ['a', 1],
        ['b', 2],
      ]),
      wanted([
        ['2', 'b'],
        [1.0000001, 'a'],
      ]),
    ),
  ).toBe('same')
  expect(
    verdict(
      answer([
        ['a', 1],
        ['b', 2],
      ]),
      wanted([
        [2, 'a'],
        [1, 'b'],
      ]),
    ),
  ).toBe('different')
  expect(verdict(answer([['a', 1]]), wanted([['A', 1]]))).toBe('different')
  expect(verdict(answer([['a', 1.001]]), wanted([['a', 1]]))).toBe('different')
  expect(verdict(answer([[null, 0]]), wanted([[0, 0]]))).toBe('different')
})

it('counts every row as often as it is wanted', () => {
  expect(verdict(answer([['a'], ['a']]), wanted([['a'], ['b']]))).toBe('different')
  expect(verdict(answer([['a'], ['a']]), wanted([['a']]))).toBe('different')
  expect(verdict(answer([]), wanted([]))).toBe('same')
})

it('tells further columns from the wanted ones, and takes only what is shown', () => {
  const rows = answer([
    ['a', 1],
    ['b', 2],
  ])
  expect(verdict(rows, wanted([['a'], ['b']]))).toBe('more')
  expect(verdict({ ...rows, shown: ['m0'] }, wanted([['a'], ['b']]))).toBe('same')
  expect(
    verdict(
      { ...rows, shown: ['m0'] },
      wanted([
        ['a', 1],
        ['b', 2],
      ]),
    ),
  ).toBe('different')
})

it('reads order from the statement, with ties in any order', () => {
  const sql = 'SELECT n, v FROM t ORDER BY CASE WHEN v IS NULL THEN 1 ELSE 0 END DESC, v DESC LIMIT 3'
  const want = wanted(
    [
      ['a', 3],
      ['b', 2],
      ['c', 2],
    ],
    { ordered: true, columns: ['n', 'v'], sql },
  )
  expect(
    verdict(
      answer([
        ['a', 3],
        ['c', 2],
        ['b', 2],
      ]),
      want,
    ),
  ).toBe('same')
  expect(
    verdict(
      answer([
        ['b', 2],
        ['a', 3],
        ['c', 2],
      ]),
      want,
    ),
  ).toBe('different')
})

it('takes the order of a column that is not wanted from the answer itself', () => {
  const want = wanted([['a'], ['b'], ['c']], { ordered: true, columns: ['n'], sql: 'SELECT n FROM t ORDER BY v DESC' })
  const got = (rows: Cell[][]): ShownRows => ({ ...answer(rows), shown: ['m0'], sortedBy: 1 })
  expect(
    verdict(
      got([
        ['a', 3],
        ['c', 2],
        ['b', 2],
      ]),
      want,
    ),
  ).toBe('same')
  expect(
    verdict(
      got([
        ['a', 3],
        ['c', 2],
        ['b', 1],
      ]),
      want,
    ),
  ).toBe('different')
})

it('takes another row of a tie that was cut', () => {
  const want = wanted(
    [
      ['a', 3],
      ['b', 2],
    ],
    { ordered: true },
  )
  const whole = {
    ...answer([
      ['a', 3],
      ['c', 2],
      ['b', 2],
      ['d', 1],
    ]),
    sortedBy: 1,
  }
  const cut = (rows: Cell[][]): ShownRows => ({ ...answer(rows), sortedBy: 1 })
  expect(
    isAnotherOfTheTie(
      {
        answer: cut([
          ['a', 3],
          ['c', 2],
        ]),
        whole,
      },
      want,
    ),
  ).toBe(true)
  expect(
    isAnotherOfTheTie(
      {
        answer: cut([
          ['a', 3],
          ['d', 1],
        ]),
        whole,
      },
      want,
    ),
  ).toBe(false)
})

it('knows the ways that days, units, weekdays, percentages and names are written', () => {
  const one = (cell: Cell, more: Partial<ResultColumn>, want: string | number | boolean | null): string =>
    verdict(answer([[cell]], [column('d0', more)]), wanted([[want]]))
  expect(one('2023-01-01', { grain: 'month' }, '2023-01')).toBe('same')
  expect(one('2023-04-01', { grain: 'quarter' }, '2023-Q2')).toBe('same')
  expect(one('2023-01-01', { grain: 'year' }, 2023)).toBe('same')
  expect(one('2023-01-01', {}, '2023-01')).toBe('different')
  expect(one('2023-01-05', {}, '2023-01-05 00:00:00')).toBe('same')
  expect(one('2023-01-05T10:30', {}, '2023-01-05 10:30:00')).toBe('same')
  expect(one(7, { part: 'weekday' }, 'Sunday')).toBe('same')
  expect(one(7, { part: 'weekday' }, '0')).toBe('same')
  expect(one(0.25, { format: { style: 'percent' } }, 25)).toBe('same')
  expect(one(0.25, {}, 25)).toBe('different')
  expect(one(true, {}, 1)).toBe('same')
  expect(one(7, { names: { key: 'id', of: { 7: 'Ann' } } }, 'Ann')).toBe('same')
  expect(verdict(answer([['Ann', 'Berg', 2]]), wanted([['Ann Berg', 2]]))).toBe('same')
})
