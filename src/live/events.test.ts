import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effectsOfCommit, mergeEvents, visibleEvents } from './events'
import { LIVE_NOUNS, type LiveEvent } from '../shared/live'
import { roleMay, ROLES } from '../shared/permissions'
import type { AuditEntry } from '../db/commit'

const ids = fc.constantFrom('a', 'b', 'c', 'd')
const anEvent: fc.Arbitrary<LiveEvent> = fc.oneof(
  fc.record({ kind: fc.constant('data' as const), datasetId: ids, dataVersion: fc.nat(9) }),
  fc.record({
    kind: fc.constant('changed' as const),
    noun: fc.constantFrom(...LIVE_NOUNS),
    id: fc.option(fc.oneof(ids, fc.nat(99).map(String))),
  }),
)
const events = fc.array(anEvent, { maxLength: 120 })
/** Whether somebody who heard these asks for all that this event speaks of. */
const covers = (told: readonly LiveEvent[], event: LiveEvent): boolean =>
  told.some((one) =>
    one.kind === 'data'
      ? event.kind === 'data' && one.datasetId === event.datasetId && one.dataVersion >= event.dataVersion
      : event.kind === 'changed' && one.noun === event.noun && (one.id === null || one.id === event.id),
  )

describe('what happened, told together', () => {
  it('loses nothing, invents nothing, and says nothing twice', () => {
    fc.assert(
      fc.property(events, (all) => {
        const told = mergeEvents(all)
        expect(all.every((event) => covers(told, event))).toBe(true)
        expect(
          told.every(
            (event) => event.kind === 'data' || all.some((one) => one.kind === 'changed' && one.noun === event.noun),
          ),
        ).toBe(true)
        expect(new Set(told.map((event) => JSON.stringify(event))).size).toBe(told.length)
        expect(told.length).toBeLessThanOrEqual(4 + LIVE_NOUNS.length * 20)
      }),
    )
  })
})

describe('what somebody hears', () => {
  it('of new rows is of datasets they may read, and of other changes never in what, unless they may read all', () => {
    fc.assert(
      fc.property(events, fc.constantFrom(...ROLES), fc.subarray(['a', 'b', 'c']), (all, role, datasets) => {
        const told = visibleEvents({ role, datasets }, mergeEvents(all))
        for (const event of told) {
          if (event.kind === 'data') expect(datasets).toContain(event.datasetId)
          else expect(event.id).toBeNull()
        }
        if (!roleMay(role, 'view:data')) expect(told.filter(({ kind }) => kind === 'data')).toEqual([])
        expect(visibleEvents({ role: 'client', datasets: 'all' }, mergeEvents(all))).toEqual([])
        expect(visibleEvents({ role: 'owner', datasets: 'all' }, mergeEvents(all))).toEqual(mergeEvents(all))
      }),
    )
  })
})

describe('a line of the audit log', () => {
  const line = (action: string, entity: string, entityId = 'x'): AuditEntry => ({
    workspaceId: 'w',
    actorId: 'me',
    ...{ action, entity, entityId },
  })
  const told = (...lines: AuditEntry[]) => effectsOfCommit(lines).eventsByWorkspace.get('w') ?? []
  const changed = (noun: string, id: string | null) => ({ kind: 'changed', noun, id })

  it.each([
    [line('insight.update', 'insight'), [changed('insight', 'x')]],
    [line('load.upload', 'dataset'), [changed('source', null)]],
    [line('dataset.update', 'dataset'), [changed('dataset', 'x')]],
    [line('dataset.load', 'dataset'), []],
    [line('rate.create', 'rates'), [changed('rates', 'x')]],
    [line('target.update', 'metric'), [changed('target', null)]],
    [line('sample.remove', 'workspace'), [changed('source', null), changed('insight', null)]],
    [line('audit.export', 'workspace'), []],
    [line('session.signIn', 'user'), []],
  ])('%o is told as what it changes', (given, expected) => {
    expect(told(given)).toEqual(expected)
  })

  it('ends what somebody may hear when it ends their rights, and asks nobody else', () => {
    expect(effectsOfCommit([line('member.update', 'member', 'bo')]).revalidations).toEqual(new Map([['w', ['bo']]]))
    expect(effectsOfCommit([line('workspace.delete', 'workspace')]).revalidations).toEqual(new Map([['w', null]]))
    expect(effectsOfCommit([line('subscription.changed', 'workspace')]).revalidations).toEqual(new Map([['w', null]]))
    expect(
      effectsOfCommit([line('insight.update', 'insight'), line('workspace.export', 'workspace')]).revalidations,
    ).toEqual(new Map())
    const signedOut = { ...line('session.signOut', 'user', 'bo'), workspaceId: null }
    expect(effectsOfCommit([signedOut])).toMatchObject({ eventsByWorkspace: new Map(), signedOut: ['bo'] })
  })
})
