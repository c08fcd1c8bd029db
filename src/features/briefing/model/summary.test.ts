import { describe, expect, it } from 'vitest'
import { summarise, type SummaryInput } from './summary'

const AGO = '2026-11-19T08:00:00.000Z'

describe('the paragraph', () => {
  const input = (over: Partial<SummaryInput> = {}): SummaryInput => ({
    ...{ basis: 'tested', alerts: [], sources: [], forecasts: [], since: AGO, fresh: 0, shown: 0 },
    ...over,
  })
  it('counts what is new and leaves the figures to the stories', () => {
    expect(summarise(input({ fresh: 3, shown: 3 }))).toEqual([
      { text: '3 new findings since your last visit.' },
      { story: 0 },
      { story: 1 },
    ])
    expect(summarise(input({ fresh: 1, shown: 0, since: null }))).toEqual([{ text: '1 finding in your data.' }])
  })

  it('says what was not judged, what is open and what failed', () => {
    expect(summarise(input({ basis: 'tooLittle' }))).toEqual([{ text: 'Too little history to judge.' }])
    expect(summarise(input({ basis: 'none' }))).toEqual([])
    const source = { sourceId: 'src_1', name: 'Orders', problem: 'failed', loadedAt: null } as const
    expect(summarise(input({ sources: [source, { ...source, problem: 'stale' }] })).slice(1)).toEqual([
      { text: 'Import failed: Orders.' },
      { text: '1 source not updated for over a month.' },
    ])
  })
})
