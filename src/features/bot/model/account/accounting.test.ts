import { expect, it } from 'vitest'
import { accountDeductions } from './accounting'
import { candidatesOf, encodedQuestion } from '../interpret'
import { askWorkshop, idOf } from '../workshop.fixture'
import { queryPlanSchema, type QueryPlan } from '../../../../shared/query/plan'

/** What does not hold between a question and a plan: its own, or one that was changed. */
async function deductionsOf(
  question: string,
  change: (plan: QueryPlan) => QueryPlan = (plan) => plan,
): Promise<string[]> {
  const input = askWorkshop(question)
  const { encoded, words } = await encodedQuestion(input)
  const [best] = candidatesOf(encoded, words, input)
  if (!best) throw new Error(`no reading of: ${question}`)
  return accountDeductions(best.context, change(best.plan)).map(({ why }) => why)
}

const split = { field: { dataset: idOf('dataset', 'bikes'), column: 'c2' } } as const
const CHANGES: readonly [question: string, change: (plan: QueryPlan) => QueryPlan, why: RegExp][] = [
  ['How many owners have no bikes?', (plan) => ({ ...plan, filters: [] }), /denied/],
  ['How many repairs have a total price over 500?', (plan) => ({ ...plan, filters: [] }), /500/],
  [
    'How many repairs have a total price over 500?',
    (plan) => queryPlanSchema.parse(JSON.parse(JSON.stringify(plan).replace('"gt"', '"lt"'))),
    /not compared so/,
  ],
  ['Top 3 mechanics by number of repairs', (plan) => ({ ...plan, limit: 5 }), /how many/],
  [
    'Which mechanic has the most repairs?',
    (plan) => ({ ...plan, sort: (plan.sort ?? []).map(({ by }) => ({ by, dir: 'asc' as const })) }),
    /other way round/,
  ],
  ['Which mechanic has the most repairs?', (plan) => ({ ...plan, dimensions: [] }), /nothing is/],
  ['How many bikes are there?', (plan) => ({ ...plan, dimensions: [split] }), /breakdown/],
  ['How many repairs are there per month?', (plan) => ({ ...plan, dimensions: [] }), /unit of time/],
]
it('trusts a plan that says what was asked, and takes from its score when one part of it is changed', async () => {
  for (const [question, change, why] of CHANGES) {
    expect(await deductionsOf(question), question).toEqual([])
    expect((await deductionsOf(question, change)).join('; '), question).toMatch(why)
  }
})

it('takes from the score of what no plan can say', async () => {
  for (const question of [
    'Which mechanics repaired on three days in a row?',
    'How many repairs were insured?',
    'Total price of repairs in thousands',
    'Which owners are the brand of their bikes?',
    'What share of the total price of Monark bikes is in repairs?',
  ])
    expect(await deductionsOf(question), question).not.toEqual([])
})
