import { describe, expect, it } from 'vitest'
import { defaultDraft } from './default-draft'
import { initialDraftHistory, UNDO_STEPS_MAX, draftHistoryReducer, type DraftHistoryAction } from './draft-reducer'
import { CATALOGUE, COUNTRIES, MARGIN, ORDERS } from '../insights.fixture'
import type { MeasureDraft } from './draft'

const START = defaultDraft({ ...ORDERS, catalogue: CATALOGUE }, { from: '2023-12-01', to: '2026-11-14' }, '2026-11-21')
const taken = (...actions: DraftHistoryAction[]) => actions.reduce(draftHistoryReducer, initialDraftHistory(START))
const UNDO = { type: 'undo' } as const
const REDO = { type: 'redo' } as const
const metric = { kind: 'metric' as const, id: MARGIN.id, label: '', filters: [] }
const STEPS: DraftHistoryAction[] = [
  { type: 'measure', at: 0, measure: metric },
  { type: 'addEarlier' },
  { type: 'split', at: 0, change: { column: 'c2', grouping: { id: COUNTRIES.id } } },
  { type: 'removePeriod' },
]

describe('steps of the builder', () => {
  it('are taken back one by one and forth again, metrics, groupings and earlier periods too', () => {
    const done = taken(...STEPS)
    expect(taken(...STEPS, UNDO, UNDO, UNDO, UNDO).present).toEqual(START)
    expect(taken(...STEPS, UNDO, UNDO, REDO, REDO).present).toEqual(done.present)
    expect(taken(...STEPS, UNDO, { type: 'addFilter' }).future).toEqual([])
    expect(taken(UNDO, REDO)).toEqual(initialDraftHistory(START))
  })

  it('hold a typed name as one step, and nothing that changes nothing', () => {
    const typed = ['M', 'Ma', 'Mar'].map((label): DraftHistoryAction => ({
      type: 'measure',
      at: 0,
      measure: { ...metric, label },
    }))
    const named = taken({ type: 'measure', at: 0, measure: metric }, ...typed)
    expect(named.past).toHaveLength(2)
    expect(draftHistoryReducer(named, UNDO).present.measures).toEqual([metric])
    expect(taken({ type: 'chart', chart: START.chart }).past).toEqual([])
  })

  it('guess by the name which way another column is better, neither where it says nothing, and leave what a person chose', () => {
    const columns = ORDERS.columns.map((column) => (column.key === 'c3' ? { ...column, label: 'Freight' } : column))
    const start = defaultDraft({ ...ORDERS, columns }, null, '2026-11-21')
    const freight: MeasureDraft = { kind: 'column', agg: 'sum', column: 'c3', label: '', filters: [] }
    const steps = (...actions: DraftHistoryAction[]) =>
      actions.reduce(draftHistoryReducer, initialDraftHistory(start)).present.direction
    expect(start.direction).toBe('none')
    const fees = ORDERS.columns.map((column) => (column.key === 'c3' ? { ...column, label: 'Fee' } : column))
    const alone = { ...ORDERS, columns: fees.filter(({ key, type }) => key === 'c3' || type === 'text') }
    expect(defaultDraft(alone, null, '2026-11-21').direction, 'earned or paid').toBe('none')
    expect(steps({ type: 'measure', at: 0, measure: freight })).toBe('down')
    expect(steps({ type: 'direction', direction: 'up' }, { type: 'measure', at: 0, measure: freight })).toBe('up')
  })

  it('keep conditions with their measures, and a typed value as one step', () => {
    const typed = [1, 10, 100].map((value): DraftHistoryAction => ({
      ...{ type: 'condition', at: 0 },
      condition: { measure: 1, op: 'gt', value },
    }))
    const steps: DraftHistoryAction[] = [{ type: 'addMeasure' }, { type: 'addCondition' }, ...typed]
    const set = taken(...steps)
    expect(set.past).toHaveLength(4)
    expect(draftHistoryReducer(set, { type: 'removeMeasure', at: 0 }).present.conditions).toEqual([
      { measure: 0, op: 'gt', value: 100 },
    ])
    expect(draftHistoryReducer(set, { type: 'removeMeasure', at: 1 }).present.conditions).toBeUndefined()
    expect(taken(...steps, { type: 'removeCondition', at: 0 }).present.conditions).toEqual([])
  })

  it('are remembered as far as fifty', () => {
    const many = Array.from({ length: UNDO_STEPS_MAX + 9 }, (_, at): DraftHistoryAction => ({
      type: 'chart',
      chart: at % 2 ? 'line' : 'bar',
    }))
    expect(taken(...many).past).toHaveLength(UNDO_STEPS_MAX)
  })

  it('take unsaved work in as one step, over the data of today, and all of it away again', () => {
    const { dataset: _data, ...unsaved } = taken(...STEPS).present
    const restored = taken({ type: 'restore', draft: unsaved })
    expect(restored.present).toEqual(taken(...STEPS).present)
    expect(draftHistoryReducer(restored, UNDO).present).toEqual(START)
    expect(draftHistoryReducer(restored, { type: 'reset' })).toEqual(initialDraftHistory(START))
  })
})
