import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DRIVERS_MAX, SCENARIOS_MAX, STEPS_MAX, THRESHOLDS_MAX, UNDO_MAX } from '../../../src/shared/forecasts'
import type { Scenario, ScenarioStep } from '../../../src/shared/forecasts'
import { draftReducer, faultOf, isDirty, startDraft } from './scenario-draft'
import type { Content, Draft, DraftAction, Edit } from './scenario-draft'

const step: ScenarioStep = { kind: 'percent', by: 0.1, from: '2026-11-01', to: '2027-10-31' }
const scenario = (id: string, name = 'More'): Scenario => ({ id, name, steps: [step] })
const EMPTY: Content = { scenarios: [], thresholds: [] }
const start = (content = EMPTY, version = 1): Draft => startDraft({ content, version })
const doing = (draft: Draft, ...actions: DraftAction[]): Draft => actions.reduce(draftReducer, draft)
const edit = (one: Edit, merge?: string): DraftAction => ({
  ...{ do: 'edit', edit: one },
  ...(merge === undefined ? {} : { merge }),
})
const add = (id: string): DraftAction => edit({ kind: 'add', scenario: scenario(id) })
const rename = (name: string): DraftAction => edit({ kind: 'rename', id: 'aaaaaa', name }, 'name aaaaaa')
const names = ({ present }: Draft): string[] => present.scenarios.map(({ name }) => name)

const ids = fc.constantFrom('aaaaaa', 'bbbbbb', 'cccccc')
const at = fc.nat(3)
const edits: fc.Arbitrary<Edit> = fc.oneof(
  ids.map((id): Edit => ({ kind: 'add', scenario: scenario(id) })),
  fc.tuple(ids, fc.string()).map(([id, name]): Edit => ({ kind: 'rename', id, name })),
  fc.tuple(ids, ids).map(([id, as]): Edit => ({ kind: 'duplicate', id, as })),
  ids.map((id): Edit => ({ kind: 'remove', id })),
  ids.map((id): Edit => ({ kind: 'addStep', id, step })),
  fc.tuple(ids, at).map(([id, place]): Edit => ({ kind: 'removeStep', id, at: place })),
  fc.integer().map((value): Edit => ({ kind: 'addThreshold', threshold: { name: 'Floor', side: 'below', value } })),
  at.map((place): Edit => ({ kind: 'removeThreshold', at: place })),
)

describe('work on scenarios', () => {
  it('is taken back step by step to what it began from, done again to what it was, and never grows beyond its limits', () => {
    fc.assert(
      fc.property(fc.array(edits, { maxLength: UNDO_MAX }), (all) => {
        const began = start()
        const worked = doing(began, ...all.map((one) => edit(one)))
        const back = doing(worked, ...worked.past.map((): DraftAction => ({ do: 'undo' })))
        expect(back.present).toEqual(began.present)
        expect(isDirty(back)).toBe(false)
        expect(doing(back, ...back.future.map((): DraftAction => ({ do: 'redo' }))).present).toEqual(worked.present)
        expect(worked.present.scenarios.length).toBeLessThanOrEqual(SCENARIOS_MAX)
        expect(worked.present.thresholds.length).toBeLessThanOrEqual(THRESHOLDS_MAX)
        for (const { steps } of worked.present.scenarios) expect(steps.length).toBeLessThanOrEqual(STEPS_MAX)
      }),
      { numRuns: 40 },
    )
  })

  it('keeps fifty steps back', () => {
    const typed = Array.from({ length: UNDO_MAX + 5 }, (_, nth) =>
      edit({ kind: 'rename', id: 'aaaaaa', name: `N${nth}` }),
    )
    const draft = doing(start({ ...EMPTY, scenarios: [scenario('aaaaaa')] }), ...typed)
    expect(draft.past).toHaveLength(UNDO_MAX)
    expect(names(doing(draft, ...draft.past.map((): DraftAction => ({ do: 'undo' }))))).toEqual(['N4'])
  })

  it('takes letters of one field as one step, until the field is left', () => {
    const draft = doing(start(), add('aaaaaa'), rename('A'), rename('Ab'), { do: 'settle' }, rename('Abc'))
    expect(names(doing(draft, { do: 'undo' }))).toEqual(['Ab'])
    expect(names(doing(draft, { do: 'undo' }, { do: 'undo' }))).toEqual(['More'])
  })

  it('gives a copy, and one of a template, a name of its own', () => {
    const draft = doing(start(), add('aaaaaa'), add('bbbbbb'), edit({ kind: 'duplicate', id: 'bbbbbb', as: 'cccccc' }))
    expect(names(draft)).toEqual(['More', 'More (2)', 'More (3)'])
    expect(faultOf(doing(draft, rename('More (2)')).present)).toMatch(/Two scenarios/)
    expect(faultOf(doing(draft, rename(' ')).present)).toMatch(/no name/)
    expect(faultOf(draft.present)).toBeNull()
  })

  it('says when scenarios take figures of more metrics than a run forecasts', () => {
    const driver = { kind: 'driver' as const, factor: 1, from: '2026-01-01', to: '2026-12-31' }
    const driven = (many: number) => ({
      steps: Array.from({ length: many }, (_, at) => ({ ...driver, metric: `met_${at}` })),
    })
    const led = (many: number) =>
      faultOf({ scenarios: [{ id: 'abcdef', name: 'Led', ...driven(many) }], thresholds: [] })
    expect([led(DRIVERS_MAX), led(DRIVERS_MAX + 1)]).toEqual([null, expect.stringMatching(/9 metrics; 8 at most/)])
  })

  it('follows what others save while nothing was changed here, and its own saving while more is typed', () => {
    const theirs = { content: { ...EMPTY, scenarios: [scenario('dddddd', 'Theirs')] }, version: 2 }
    expect(names(doing(start(), { do: 'hear', saved: theirs }))).toEqual(['Theirs'])
    const sent = doing(start(), add('aaaaaa'), rename('Mine '), { do: 'send' }, rename('Mine and more'))
    const heard = doing(sent, {
      ...{ do: 'hear', saved: { content: { ...EMPTY, scenarios: [scenario('aaaaaa', 'Mine')] }, version: 2 } },
    })
    expect(heard).toMatchObject({ theirs: null, base: { version: 2 } })
    expect([names(heard), isDirty(heard)]).toEqual([['Mine and more'], true])
  })

  it('asks which version stays when somebody else saved first; taking theirs can be taken back', () => {
    const theirs = { content: { ...EMPTY, scenarios: [scenario('dddddd', 'Theirs')] }, version: 2 }
    const mine = doing(start(), add('aaaaaa'), { do: 'hear', saved: theirs })
    expect([names(mine), mine.theirs]).toEqual([['More'], theirs])
    const taken = doing(mine, { do: 'takeTheirs' })
    expect([names(taken), isDirty(taken)]).toEqual([['Theirs'], false])
    expect(names(doing(taken, { do: 'undo' }))).toEqual(['More'])
    expect(doing(mine, { do: 'keepMine' })).toMatchObject({ theirs: null, base: { version: 2 } })
  })

  it('stands when only settings of the forecast were saved, with the version to save from', () => {
    const draft = doing(start(), add('aaaaaa'), { do: 'hear', saved: { content: EMPTY, version: 4 } })
    expect([names(draft), draft.base.version, draft.theirs]).toEqual([['More'], 4, null])
  })
})
