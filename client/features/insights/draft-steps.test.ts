import { describe, expect, it } from 'vitest'
import { defaultDraft } from './draft-defaults'
import { firstStep, STEPS_MAX, stepReducer } from './draft-steps'
import type { StepAction } from './draft-steps'
import { CATALOGUE, COUNTRIES, MARGIN, ORDERS } from './samples'

const START = defaultDraft({ ...ORDERS, catalogue: CATALOGUE }, { from: '2023-12-01', to: '2026-11-14' }, '2026-11-21')
const taken = (...actions: StepAction[]) => actions.reduce(stepReducer, firstStep(START))
const UNDO = { type: 'undo' } as const
const REDO = { type: 'redo' } as const
const metric = { kind: 'metric' as const, id: MARGIN.id, label: '', filters: [] }
const STEPS: StepAction[] = [
  { type: 'measure', at: 0, measure: metric },
  { type: 'addEarlier' },
  { type: 'split', at: 0, change: { column: 'c2', grouping: { id: COUNTRIES.id } } },
  { type: 'removePeriod' },
]

describe('steps of the builder', () => {
  it('are taken back one by one and forth again, metrics, groupings and earlier periods too', () => {
    const done = taken(...STEPS)
    expect(taken(...STEPS, UNDO, UNDO, UNDO, UNDO).now).toEqual(START)
    expect(taken(...STEPS, UNDO, UNDO, REDO, REDO).now).toEqual(done.now)
    expect(taken(...STEPS, UNDO, { type: 'addFilter' }).future).toEqual([])
    expect(taken(UNDO, REDO)).toEqual(firstStep(START))
  })

  it('hold a typed name as one step, and nothing that changes nothing', () => {
    const typed = ['M', 'Ma', 'Mar'].map((label): StepAction => ({
      type: 'measure',
      at: 0,
      measure: { ...metric, label },
    }))
    const named = taken({ type: 'measure', at: 0, measure: metric }, ...typed)
    expect(named.past).toHaveLength(2)
    expect(stepReducer(named, UNDO).now.measures).toEqual([metric])
    expect(taken({ type: 'chart', chart: START.chart }).past).toEqual([])
  })

  it('are remembered as far as fifty', () => {
    const many = Array.from({ length: STEPS_MAX + 9 }, (_, at): StepAction => ({
      type: 'chart',
      chart: at % 2 ? 'line' : 'bar',
    }))
    expect(taken(...many).past).toHaveLength(STEPS_MAX)
  })
})
