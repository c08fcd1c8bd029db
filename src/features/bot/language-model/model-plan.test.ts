import { expect, it } from 'vitest'
import { readModelPlan } from './model-plan'
import { modelNames } from './names'
import { promptOf } from './prompt'

const NAMES = modelNames({ datasets: [], metrics: [] })
const REFUSAL = '{"kind":"refuse"}'
const FENCE = '```'

it('takes a text in a fence or without one, and nothing else', () => {
  const fenced = [REFUSAL, ` ${REFUSAL}\n`, `${FENCE}json\n${REFUSAL}\n${FENCE}`, `${FENCE}${REFUSAL}${FENCE}`]
  for (const text of fenced) expect([text, readModelPlan(text, NAMES)]).toEqual([text, { refused: true }])
  for (const text of ['', FENCE, `${FENCE}json`, `${REFUSAL}${FENCE}`, `${FENCE}js ${REFUSAL}${FENCE}`, `x ${REFUSAL}`])
    expect([text, readModelPlan(text, NAMES)]).toEqual([text, { mistake: expect.any(String) }])
})

it('reads the longest text that a model may send at once, whatever it is of', () => {
  const began = performance.now()
  for (const text of [' ', '\n', '`', '```', '[', '{"a":', '"'].map((part) => part.repeat(64_000 / part.length)))
    expect(readModelPlan(`${FENCE}${text}x`, NAMES)).toEqual({ mistake: expect.any(String) })
  expect(performance.now() - began).toBeLessThan(2_000)
})

it('tells a model what earlier questions were read as only where it may be told values', () => {
  const turns = [{ question: 'sales of acme', words: 'Sales where Customer is Acme Holdings AB' }]
  const asked = { question: 'and zorgle?', turns, names: NAMES, glossary: [], today: '2026-01-01' }
  expect(promptOf({ ...asked, rowValues: false }).user).not.toContain('Holdings')
  expect(promptOf({ ...asked, rowValues: false }).user).toContain('sales of acme')
  expect(promptOf({ ...asked, rowValues: true }).user).toContain('Acme Holdings AB')
})
