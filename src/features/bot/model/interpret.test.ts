import { describe, expect, it } from 'vitest'
import { interpret } from './interpret'
import { askWorkshop, idOf, workshop } from './workshop.fixture'
import { planWords } from './say/plan-words'
import { queryPlanSchema, type QueryPlan } from '../../../shared/query/plan'
import type { BotInterpretation } from '../../../shared/bot/interpretation'
import type { PreviousQuestion } from './contract'

const said = (answer: BotInterpretation): string => {
  if (answer.kind === 'answer')
    return planWords(queryPlanSchema.parse(answer.plan), { vocabulary: workshop, locale: 'en-GB' })
  return answer.kind === 'way' ? `way: ${answer.way}` : answer.kind
}

describe('a question in words', () => {
  it.each([
    ['How many repairs are there?', 'Number of repairs'],
    ['How many repairs were done per month?', 'Number of repairs, by month'],
    [`Average  total price${' '.repeat(900)}per mechanic\t `, 'Average total price'],
    ['Total price of repairs by brand', 'Total price, by brand of Bikes'],
    [
      'Average total price for each mechanic',
      'Average total price, by first_name of Mechanics, by last_name of Mechanics',
    ],
    [
      'Top 3 brands by number of repairs',
      'Number of repairs, by brand of Bikes, number of repairs, highest first, top 3',
    ],
    [
      'How many repairs of Monark bikes in 2023?',
      'Number of repairs, 2023-01-01 – 2023-12-31, brand of Bikes is Monark',
    ],
    ['Which owners have no bikes?', 'Owners: full name, without bikes'],
    ['List the phone of owners in Lund', 'Owners: phone, town is Lund'],
    ['Which mechanic has the most repairs?', 'by first'],
    ['Hur många repairs per status?', 'Number of repairs, by status'],
    ['How many owners have more than 2 bikes?', 'Number of owners'],
    ['Which bikes have had no repairs in 2024?', 'without repairs where repair date is from 2024-01-01'],
    ['Which bikes have not been repaired in 2024?', 'without repairs where repair date is from 2024-01-01'],
    ['What is the most expensive repair of each brand?', 'by brand of Bikes'],
    ['Which repairs were delivered before the repair date?', 'delivery date'],
    ['Average monthly total price', 'clarify'],
    ['Hi, could you tell me how many repairs there are, please?', 'Number of repairs'],
    ['Owners and their phone, newest first', 'Owners: full name, phone, member since'],
    ['What share of repairs are done?', 'Share of repairs'],
    ['What share of repairs does each brand have?', 'by brand'],
    ['Which repairs have a total price above the average?', 'difference from the average more than 0'],
    ['Which mechanic has the second most repairs?', 'number 2'],
    [
      'Which bikes have had both an open and a cancelled repair?',
      'status is cancelled, with repairs where status is open',
    ],
    ['Which bikes had their first repair in 2024?', 'without repairs where repair date is less than 2024-01-01'],
    ['Number of repairs in the last 30 days and in the 30 days before', 'compared with the previous period'],
    ['What is the lowest total price among repairs of Monark bikes?', 'Lowest total price, brand of Bikes is Monark'],
    ['Average total price of open versus done repairs', 'Average total price, by status, status is done or is open'],
    ['What is the ratio of cancelled repairs to all repairs?', 'Ratio of cancelled repairs to all repairs'],
    ['Which brand has the most cancelled repairs?', 'by brand of Bikes, status is cancelled'],
    ['Average delivery time in days by brand', 'Average delivery time in days, by brand of Bikes'],
    ['Which owners have had a bike repaired? Return their full name and phone', 'Repairs: by full name of Owners'],
    ['How long has each mechanic been employed?', 'clarify'],
    ['Return the last name of the most recently hired mechanic', 'Mechanics: last name'],
  ])('%s', async (question, words) => {
    const answer = said(await interpret(askWorkshop(question)))
    if (words !== '')
      expect(answer.toLowerCase().replaceAll('_', ' ')).toContain(words.toLowerCase().replaceAll('_', ' '))
  })

  it('declines what names nothing of the data, and says what it can answer', async () => {
    const answer = await interpret(askWorkshop('Will it rain on Sunday?'))
    expect(answer).toMatchObject({ kind: 'refuse', code: 'out_of_scope' })
    expect(answer.kind === 'refuse' && answer.suggestions.length).toBeGreaterThan(0)
  })

  it('does not answer with confidence where a name stands in no data', async () => {
    expect((await interpret(askWorkshop('How many repairs did Zebulon order of Quxfoo?'))).kind).not.toBe('answer')
  })

  it('honours a definition that stands in the question', async () => {
    const answer = await interpret(
      askWorkshop('What is the ARP in 2023? ', { definitions: 'ARP = average total price' }),
    )
    expect(answer).toMatchObject({ kind: 'answer', plan: { measures: [{ kind: 'column', agg: 'avg' }] } })
  })

  it.each([
    ['Why did total price fall last month?', 'why'],
    ['Forecast total price', 'forecast'],
    ['Alert me when number of repairs drops', 'alert'],
    ['What data do you have?', 'data'],
  ])('%s leads to %s', async (question, way) => {
    expect(said(await interpret(askWorkshop(question)))).toBe(`way: ${way}`)
  })
})

describe('a follow-up', () => {
  const repairs = idOf('dataset', 'repairs')
  const plan: QueryPlan = queryPlanSchema.parse({
    v: 3,
    kind: 'aggregate',
    dataset: repairs,
    measures: [{ kind: 'column', agg: 'sum', field: { dataset: repairs, column: 'c5' } }],
    dimensions: [],
    filters: [],
    period: {
      field: { dataset: repairs, column: 'c3' },
      range: { kind: 'relative', span: 'last', unit: 'year', n: 1 },
    },
  })
  const previous: PreviousQuestion = {
    question: 'Total price last year',
    plan,
    viz: { chart: 'number', direction: 'up' },
  }

  it.each([
    ['and for Malmö?', 'town of Owners is Malmö'],
    ['by month', 'by month'],
    ['only cancelled', 'status is cancelled'],
    ['compare with last year', 'compared with the previous year'],
    ['in 2023', '2023-01-01 – 2023-12-31'],
  ])('%s changes the plan before it', async (question, words) => {
    expect(said(await interpret(askWorkshop(question, { previous }))).toLowerCase()).toContain(words.toLowerCase())
  })
  it.each(['top 5 towns by count of repairs in 2023', 'top 3 status by number of repairs'])(
    'stands on its own where it names what the plan before it cannot take: %s',
    async (question) => {
      const [alone, after] = await Promise.all([
        interpret(askWorkshop(question)),
        interpret(askWorkshop(question, { previous })),
      ])
      expect(after).toEqual(alone)
    },
  )
  it('changes the picture alone', async () => {
    expect(await interpret(askWorkshop('as bars', { previous }))).toMatchObject({
      kind: 'answer',
      viz: { chart: 'bar' },
      plan,
    })
  })
  it('asks why of the figure before it', async () => {
    expect(await interpret(askWorkshop('why?', { previous }))).toMatchObject({
      kind: 'way',
      way: 'why',
      reading: { plan },
    })
  })
})

it.each(['total price Jan–Jun 2023', 'total price jan-jun 2023'])(
  'reads months on either side of a dash as one period: %s',
  async (question) => expect(said(await interpret(askWorkshop(question)))).toContain('2023-01-01 – 2023-06-30'),
)

it('puts a verified wording first, in any order of its words', async () => {
  const answer = await interpret(askWorkshop('How many repairs are there?'))
  if (answer.kind !== 'answer') throw new Error('no answer')
  const verified = [{ id: 'v1', question: 'Workshop load', plan: answer.plan, viz: null, stale: true }]
  const asked = askWorkshop('Show me the load of the workshop, please', { vocabulary: { ...workshop, verified } })
  expect(await interpret(asked)).toMatchObject({ kind: 'answer', verified: { id: 'v1', stale: true } })
})
