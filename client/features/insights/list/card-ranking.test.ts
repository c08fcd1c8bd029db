import { describe, expect, it } from 'vitest'
import { resultNotes } from '../../../ui/chart/result-notes'
import { rankingOf } from './card-ranking'
import { answerOf, country, kronor, month, quarter, sales } from '../../../ui/chart/chart.fixture'

const plain = (text: string): string => text.replaceAll('\u00a0', ' ')
const last = { ...sales, key: 'm1', label: 'Last order', type: 'date', format: { style: 'plain' } } as const

describe('a small picture of an answer by name', () => {
  it('names the largest, with two figures at most and without the rest', () => {
    const rows = ['Sweden', 'Norway', 'Denmark', 'Finland', 'Iceland'].map((name, at) => [
      name,
      1_234_567 - at,
      '2026-07-24',
      at,
    ])
    const answer = answerOf(
      [country, sales, last, { ...sales, key: 'm2', label: 'Orders' }],
      [...rows, ['Other', 9e6, null, 1]],
      { otherRow: 5 },
    )
    const ranking = rankingOf(answer, 'table', kronor)
    expect(ranking?.headers).toEqual(['Sales', 'Last order'])
    expect(ranking?.rows.map(({ name }) => name)).toEqual(['Sweden', 'Norway', 'Denmark', 'Finland'])
    expect(ranking?.rows[0]?.cells.map(plain)).toEqual(['1,23 Mkr', '24 Jul 2026'])
    expect(ranking?.hiddenCount).toBe('rest')
    expect(rankingOf(answerOf([country, sales], rows), 'table', kronor)?.hiddenCount).toBe(1)
  })

  it('lines its figures up: one unit, the same decimals', () => {
    const figuresOf = (...values: (number | null)[]): string[] | undefined =>
      rankingOf(
        answerOf(
          [country, sales],
          values.map((value, at) => [`Country ${at}`, value]),
        ),
        'table',
        kronor,
      )?.rows.map(({ cells }) => plain(cells[0] ?? ''))
    expect(figuresOf(15_491_891, 10_024_981, 8_229_698, 0)).toEqual(['15,49 Mkr', '10,02 Mkr', '8,23 Mkr', '0,00 Mkr'])
    expect(figuresOf(15_491_891, null, 340_000)).toEqual(['15,49 Mkr', '–', '0,34 Mkr'])
    expect(figuresOf(169.5, 49.62)).toEqual(['169,50 kr', '49,62 kr'])
    expect(figuresOf(3, 2)).toEqual(['3 kr', '2 kr'])
  })

  it('leaves to a chart what is over time or split twice', () => {
    expect(rankingOf(quarter(), 'bar', kronor)).toBeNull()
    expect(rankingOf(answerOf([country, { ...country, key: 'd2' }, sales], []), 'table', kronor)).toBeNull()
    expect(rankingOf(answerOf([country, sales], [['Sweden', 1]]), 'waterfall', kronor)).toBeNull()
  })
})

it('speaks of a starred point only where there is one', () => {
  const { period } = quarter()
  const running = { period: period && { ...period, incomplete: true } }
  expect(resultNotes(answerOf([month, sales], [['2026-03-01', 1]], running), null, kronor.day)).toHaveLength(1)
  expect(resultNotes(answerOf([month, sales], [['2026-01-01', 1]], running), null, kronor.day)).toHaveLength(0)
  const cut = { ...month, partial: [{ start: '2026-01-01', from: '2026-01-12', to: '2026-01-20' }] }
  expect(resultNotes(answerOf([cut, sales], [['2026-01-01', 1]]), null, kronor.day)).toEqual([
    '* Incomplete: data from 12 Jan 2026 to 20 Jan 2026.',
  ])
  expect(resultNotes(answerOf([country, sales], [['Sweden', 1]], running), null, kronor.day)).toEqual([])
})

it('advises a top N only where none was asked for', () => {
  const cut = { rowCount: 10, truncated: true }
  const notesOf = (limit?: number) =>
    resultNotes(answerOf([country, sales], [['Sweden', 1]], cut), null, kronor.day, limit)
  expect(notesOf()).toEqual(['Showing 1 of 10 groups. Add a filter or a top N.'])
  // The one that was asked for is the whole answer.
  expect(notesOf(1)).toEqual([])
})
