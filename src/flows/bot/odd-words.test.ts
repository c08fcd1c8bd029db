import { expect, it } from 'vitest'
import { wordTable } from '../../lib/word-table'
import { interpret } from '../../features/bot/model/interpret'
import { askWorkshop, workshop } from '../../features/bot/model/workshop.fixture'
import { currencyCode } from '../../shared/values/cell-parsers'
import { parseGroupCsv } from '../../shared/groupings/csv'

const BORN_WITH = Object.getOwnPropertyNames(Object.prototype)

it('knows nothing but its own words', () => {
  const table = wordTable({ kr: 'SEK' })
  expect([table['kr'], ...BORN_WITH.map((word) => table[word])]).toEqual(['SEK', ...BORN_WITH.map(() => undefined)])
})

it('is how words of questions, columns and files are looked up: none of them is a part of an object', async () => {
  const [first, ...others] = workshop.datasets
  if (!first) throw new Error('no table')
  const odd = BORN_WITH.map((label, at) => ({
    ...{ key: `c${90 + at}` as const, label, type: 'number' as const, role: 'measure' as const, distinct: 9 },
    format: { style: 'plain' as const },
  }))
  const vocabulary = { ...workshop, datasets: [{ ...first, columns: [...first.columns, ...odd] }, ...others] }
  const questions = [
    ...[
      'most constructor owners',
      'constructor than 2 repairs',
      'how constructor is each bike',
      'total __proto__ by town',
    ],
    ...['5 constructor', 'who constructor the most bikes', 'constructor repairs last constructor', 'constructor'],
  ]
  for (const question of questions)
    expect([question, (await interpret({ ...askWorkshop(question), vocabulary })).kind]).toEqual([
      question,
      expect.stringMatching(/^(answer|clarify|refuse|way)$/),
    ])
  expect(BORN_WITH.map(currencyCode)).toEqual(BORN_WITH)
  const { errors } = parseGroupCsv(['Group,Value,Rule', ...BORN_WITH.map((word) => `A,b,${word}`)].join('\n'))
  expect(errors.map(({ message }) => message)).toEqual(BORN_WITH.map(() => 'Invalid rule'))
})
