import { expect, it } from 'vitest'
import { coverageDeductions, type CoverageInput } from './coverage'
import { queryPlanSchema, type QueryPlanInput } from '../../../../shared/query/plan'

const field = { dataset: 'ds_00000000000000000000', column: 'c1' } as const
const count = { kind: 'column', agg: 'count' } as const
const planOf = (parts: Partial<QueryPlanInput> = {}) =>
  queryPlanSchema.parse({ v: 3, kind: 'aggregate', measures: [count], dimensions: [], filters: [], ...parts })
const factorOf = (given: Partial<CoverageInput>): number =>
  coverageDeductions({
    rest: '',
    words: '',
    encoded: { values: [], dates: [] },
    plan: planOf(),
    saysWhen: () => false,
    ...given,
  }).reduce((product, { factor }) => product * factor, 1)
const BELOW_ANSWER = 0.8

it('takes from the score of a plan that leaves a negation, a ranking, a comparison or a breakdown unsaid', () => {
  for (const rest of ['claims that were not paid', 'kunder utan order', 'the largest', 'over 50', 'per region'])
    expect(factorOf({ rest }), rest).toBeLessThan(BELOW_ANSWER)
  expect(factorOf({ rest: 'which are there' })).toBe(1)
})

it('trusts a plan that says what the words say', () => {
  const missing = { kind: 'notExists', dataset: field.dataset, filters: [] } as const
  expect(factorOf({ rest: 'not paid', plan: planOf({ filters: [missing] }) })).toBe(1)
  expect(factorOf({ rest: 'the largest', plan: planOf({ sort: [{ by: { measure: 0 }, dir: 'desc' }] }) })).toBe(1)
  expect(factorOf({ rest: 'per region', plan: planOf({ dimensions: [{ field }] }) })).toBe(1)
  expect(
    factorOf({ words: 'average price', plan: planOf({ measures: [{ kind: 'column', agg: 'avg', field }] }) }),
  ).toBe(1)
})

it('takes from the score of a plan that leaves out a value or a time that was said', () => {
  const value = { text: 'Malmö', phrase: 'malmo', matches: [], isQuoted: false }
  expect(factorOf({ encoded: { values: [value], dates: [] } })).toBeLessThan(BELOW_ANSWER)
  const filters = [{ field, any: [{ op: 'eq' as const, value: 'Malmö' }] }]
  expect(factorOf({ encoded: { values: [value], dates: [] }, plan: planOf({ filters }) })).toBe(1)
  const dates: CoverageInput['encoded']['dates'] = [{ kind: 'grain', grain: 'month' }]
  expect(factorOf({ encoded: { values: [], dates } })).toBeLessThan(BELOW_ANSWER)
  expect(factorOf({ encoded: { values: [], dates }, plan: planOf({ dimensions: [{ field, grain: 'month' }] }) })).toBe(
    1,
  )
})
