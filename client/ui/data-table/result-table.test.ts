import { expect, it } from 'vitest'
import type { ColumnRole } from '../../../src/shared/data-sources/files'
import { resultTextTable } from './result-table'
import { answerOf, country, kronor, month, sales } from '../chart/chart.fixture'
import { tableColumns } from '../../../src/shared/figures/table-columns'
import { copiedCell } from './result-cells'

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

it('shows the one decimal of a file where a figure has one, and none of whole figures', () => {
  const rated = { ...sales, format: { style: 'plain' }, scale: 1 } as const
  const shown = (...cells: number[]): (string | undefined)[] =>
    resultTextTable(
      answerOf(
        [country, rated],
        cells.map((cell) => ['Sweden', cell]),
      ),
      kronor,
    ).rows.map(({ cells: [, figure] }) => figure?.replaceAll('\u00a0', ' '))
  expect(shown(5_287_852, 12)).toEqual(['5 287 852', '12'])
  expect(shown(5_287_852.5, 12)).toEqual(['5 287 852,5', '12,0'])
})

it('shows whole numbers that name things, as postal codes and years do, without digit grouping', () => {
  const postcode = {
    key: 'c0',
    label: 'Postal Code',
    kind: 'column',
    type: 'integer',
    format: { style: 'plain' },
  } as const
  const shown = (role: ColumnRole): string | undefined =>
    resultTextTable(answerOf([{ ...postcode, role }], [[42420]]), kronor).rows[0]?.cells[0]
  expect([shown('dimension'), shown('id'), shown('measure')?.replaceAll('\u00a0', ' ')]).toEqual([
    ...['42420', '42420', '42 420'],
  ])
})

it('marks the buckets that its note calls incomplete, and copies their names without the mark', () => {
  const cut = { ...month, partial: [{ start: '2026-01-01', from: '2026-01-24' }] }
  const running = { from: '2026-01-01', to: '2026-03-31', label: '2026', incomplete: true, compare: null }
  const answer = answerOf(
    [cut, sales],
    [
      ['2026-01-01', 1],
      ['2026-02-01', 2],
      ['2026-03-01', 3],
    ],
    { period: { ...running, runningFrom: '2026-03-09' } },
  )
  expect(resultTextTable(answer, kronor).rows.map(({ cells: [first] }) => first)).toEqual([
    'Jan 2026 *',
    'Feb 2026',
    'Mar 2026 *',
  ])
  const [column] = tableColumns(answer)
  expect(column && copiedCell('2026-01-01', column, kronor)).toBe('Jan 2026')
})
