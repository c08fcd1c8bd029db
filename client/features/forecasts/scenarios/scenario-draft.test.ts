import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  DRIVERS_MAX,
  SCENARIOS_MAX,
  SCENARIO_STEPS_MAX,
  THRESHOLDS_MAX,
  SCENARIO_UNDO_MAX,
} from '../../../../src/shared/forecasts/forecasts'
import type { Scenario, ScenarioStep } from '../../../../src/shared/forecasts/forecasts'
import { draftReducer, draftProblem, isDirty, startDraft } from './scenario-draft'
import type { ScenarioContent, ScenarioDraft, ScenarioDraftAction, ScenarioEdit } from './scenario-draft'

const step: ScenarioStep = { kind: 'percent', by: 0.1, from: '2026-11-01', to: '2027-10-31' }
const scenario = (id: string, name = 'More'): Scenario => ({ id, name, steps: [step] })
const EMPTY: ScenarioContent = { scenarios: [], thresholds: [] }
const start = (content = EMPTY, version = 1): ScenarioDraft => startDraft({ content, version })
const doing = (draft: ScenarioDraft, ...actions: ScenarioDraftAction[]): ScenarioDraft =>
  actions.reduce(draftReducer, draft)
const edit = (one: ScenarioEdit, merge?: string): ScenarioDraftAction => ({
  ...{ do: 'edit', edit: one },
  ...(merge === undefined ? {} : { merge }),
})
const add = (id: string): ScenarioDraftAction => edit({ kind: 'add', scenario: scenario(id) })
const rename = (name: string): ScenarioDraftAction => edit({ kind: 'rename', id: 'aaaaaa', name }, 'name aaaaaa')
const names = ({ present }: ScenarioDraft): string[] => present.scenarios.map(({ name }) => name)

const ids = fc.constantFrom('aaaaaa', 'bbbbbb', 'cccccc')
const at = fc.nat(3)
const edits: fc.Arbitrary<ScenarioEdit> = fc.oneof(
  ids.map((id): ScenarioEdit => ({ kind: 'add', scenario: scenario(id) })),
  fc.tuple(ids, fc.string()).map(([id, name]): ScenarioEdit => ({ kind: 'rename', id, name })),
  fc.tuple(ids, ids).map(([id, as]): ScenarioEdit => ({ kind: 'duplicate', id, as })),
  ids.map((id): ScenarioEdit => ({ kind: 'remove', id })),
  ids.map((id): ScenarioEdit => ({ kind: 'addStep', id, step })),
  fc.tuple(ids, at).map(([id, place]): ScenarioEdit => ({ kind: 'removeStep', id, at: place })),
  fc
    .integer()
    .map((value): ScenarioEdit => ({ kind: 'addThreshold', threshold: { name: 'Floor', side: 'below', value } })),
  at.map((place): ScenarioEdit => ({ kind: 'removeThreshold', at: place })),
)

describe('work on scenarios', () => {
  it('is taken back step by step to what it began from, done again to what it was, and never grows beyond its limits', () => {
    fc.assert(
      fc.property(fc.array(edits, { maxLength: SCENARIO_UNDO_MAX }), (all) => {
        const began = start()
        const worked = doing(began, ...all.map((one) => edit(one)))
        const back = doing(worked, ...worked.past.map((): ScenarioDraftAction => ({ do: 'undo' })))
        expect(back.present).toEqual(began.present)
        expect(isDirty(back)).toBe(false)
        expect(doing(back, ...back.future.map((): ScenarioDraftAction => ({ do: 'redo' }))).present).toEqual(
          worked.present,
        )
        expect(worked.present.scenarios.length).toBeLessThanOrEqual(SCENARIOS_MAX)
        expect(worked.present.thresholds.length).toBeLessThanOrEqual(THRESHOLDS_MAX)
        for (const { steps } of worked.present.scenarios) expect(steps.length).toBeLessThanOrEqual(SCENARIO_STEPS_MAX)
      }),
      { numRuns: 40 },
    )
  })

  it('keeps fifty steps back', () => {
    const typed = Array.from({ length: SCENARIO_UNDO_MAX + 5 }, (_, nth) =>
      edit({ kind: 'rename', id: 'aaaaaa', name: `N${nth}` }),
    )
    const draft = doing(start({ ...EMPTY, scenarios: [scenario('aaaaaa')] }), ...typed)
    expect(draft.past).toHaveLength(SCENARIO_UNDO_MAX)
    expect(names(doing(draft, ...draft.past.map((): ScenarioDraftAction => ({ do: 'undo' }))))).toEqual(['N4'])
  })

  it('takes letters of one field as one step, until the field is left', () => {
    const draft = doing(start(), add('aaaaaa'), rename('A'), rename('Ab'), { do: 'settle' }, rename('Abc'))
    expect(names(doing(draft, { do: 'undo' }))).toEqual(['Ab'])
    expect(names(doing(draft, { do: 'undo' }, { do: 'undo' }))).toEqual(['More'])
  })

  it('gives a copy, and one of a template, a name of its own', () => {
    const draft = doing(start(), add('aaaaaa'), add('bbbbbb'), edit({ kind: 'duplicate', id: 'bbbbbb', as: 'cccccc' }))
    expect(names(draft)).toEqual(['More', 'More (2)', 'More (3)'])
    expect(draftProblem(doing(draft, rename('More (2)')).present)).toMatch(/Two scenarios/)
    expect(draftProblem(doing(draft, rename(' ')).present)).toBe('Enter a name for each scenario.')
    expect(draftProblem(draft.present)).toBeNull()
  })

  it('says when scenarios take figures of more metrics than a run forecasts', () => {
    const driver = { kind: 'driver' as const, factor: 1, from: '2026-01-01', to: '2026-12-31' }
    const driven = (many: number) => ({
      steps: Array.from({ length: many }, (_, at) => ({ ...driver, metric: `met_${at}` })),
    })
    const led = (many: number) =>
      draftProblem({ scenarios: [{ id: 'abcdef', name: 'Led', ...driven(many) }], thresholds: [] })
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
