import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeAddresses, parseAddresses } from './email-addresses'
import { describeOwnedItems } from './owned-items-field'
import { addressesError } from './invite-screen'
import { describeExpiry, describeSent } from './invite-text'
import { memberActions } from './member-actions'
import { memberErrorText } from './member-dialog'
import { seatsFullText, describeSeatDemand, describeSeats } from './seats'
import { memberFixture } from './members.fixture'
import { ApiError } from '../../lib/api'
import { ERRORS, type ErrorCode } from '../../../src/shared/errors'
import { INVITES_PER_REQUEST_MAX } from '../../../src/shared/invites'

const texts = (typed: string): string[] => parseAddresses(typed).map(({ text }) => text)

describe('addresses', () => {
  it.each([
    ['anna@x.se, bo@x.se; cia@x.se\ndan@x.se', ['anna@x.se', 'bo@x.se', 'cia@x.se', 'dan@x.se']],
    ['Anna Berg <anna@x.se>, Bo <bo@x.se>', ['anna@x.se', 'bo@x.se']],
    ['"Berg, Anna; Ms" <anna@x.se>; bo@x.se', ['anna@x.se', 'bo@x.se']],
    ['Berg, Anna <anna@x.se>', ['anna@x.se']],
    ['cia@x.se, Berg, Anna <anna@x.se>', ['cia@x.se', 'anna@x.se']],
    ['anna@x.se bo@x.se', ['anna@x.se', 'bo@x.se']],
    ['Anna Berg anna@x.se', ['anna@x.se']],
    [' ,; \n\t', []],
  ])('are read out of %j', (typed, found) => {
    expect(texts(typed)).toEqual(found)
  })

  it('come back as they were given, whatever parts them and whatever names stand around them', () => {
    const address = fc
      .tuple(fc.stringMatching(/^[a-z0-9]{1,10}$/), fc.stringMatching(/^[a-z]{2,8}$/))
      .map(([local, domain]) => `${local}@${domain}.se`)
    const name = fc.stringMatching(/^[A-Za-zÅÄÖåäö]{1,8}( [A-Za-z]{1,8})?$/)
    const written = fc.oneof(
      address.map((text) => ({ text, typed: text })),
      fc.tuple(name, address).map(([who, text]) => ({ text, typed: `${who} <${text}>` })),
      fc.tuple(name, address).map(([who, text]) => ({ text, typed: `"${who}, ${who}" <${text}>` })),
    )
    const separator = fc.constantFrom(',', ', ', ';', '; ', '\n', '\r\n', '\t')
    fc.assert(
      fc.property(fc.array(fc.tuple(written, separator), { maxLength: 60 }), (parts) => {
        const typed = parts.map(([{ typed: one }, between]) => one + between).join('')
        expect(texts(typed)).toEqual(parts.map(([{ text }]) => text))
      }),
    )
  })

  it('never lose what is no address, and name what stands twice', () => {
    const found = parseAddresses('anna@x.se; Anna@X.se; nonsense; bo@')
    expect(found.map(({ problem }) => problem)).toEqual([null, 'repeated', 'invalid', 'invalid'])
    expect(describeAddresses(found)).toBe('1 address, 1 duplicate. Invalid: nonsense, bo@.')
    expect(describeAddresses(parseAddresses('nonsense'))).toBe('Invalid: nonsense.')
    expect(describeAddresses([])).toBe('')
  })

  it('can be sent from one good one up to the limit', () => {
    const some = (count: number) => parseAddresses(Array.from({ length: count }, (_, at) => `p${at}@x.se`).join())
    expect(addressesError(some(0))).toMatch(/at least one/)
    expect(addressesError(parseAddresses('nonsense'))).toMatch(/^Enter addresses like/)
    expect(addressesError(some(INVITES_PER_REQUEST_MAX))).toBeNull()
    expect(addressesError(some(INVITES_PER_REQUEST_MAX + 3))).toMatch(/Remove 3/)
  })
})

describe('seats', () => {
  const seats = (users: [number, number | null], analysts: [number, number | null]) => ({
    users: { used: users[0], max: users[1] },
    analysts: { used: analysts[0], max: analysts[1] },
  })
  it('are said as used of all', () => {
    expect(describeSeats(seats([4, 30], [2, 3]))).toBe('4 of 30 users, 2 of 3 analysts')
    expect(describeSeats(seats([1, null], [1, 1]))).toBe('1 user, 1 of 1 analyst')
  })
  it('say what to do when they have run out, and of what there is none', () => {
    expect(seatsFullText(seats([4, 30], [2, 3]))).toBeNull()
    expect(seatsFullText(seats([30, 30], [2, 3]))?.limit).toBe('users')
    expect(seatsFullText(seats([4, 30], [3, 3]))?.limit).toBe('analysts')
    expect(seatsFullText(seats([400, null], [30, null]))).toBeNull()
  })
  it('say before sending what it takes, by the kind that runs out first', () => {
    const free = seats([4, 30], [2, 3])
    expect(describeSeatDemand(free, { people: 3, analysts: false })).toMatchObject({
      words: 'Uses 3 of 26 free seats',
      short: false,
    })
    expect(describeSeatDemand(free, { people: 1, analysts: true })).toMatchObject({
      words: 'Uses 1 of 1 free analyst seat',
      short: false,
    })
    expect(describeSeatDemand(free, { people: 3, analysts: true })?.words).toBe(
      '1 free analyst seat. Only the first 1 will be sent.',
    )
    expect(describeSeatDemand(seats([30, 30], [2, 3]), { people: 1, analysts: false })).toEqual({
      words: 'No seats left',
      short: true,
      limit: 'users',
      count: 31,
    })
    expect(describeSeatDemand(seats([4, null], [2, null]), { people: 3, analysts: true })).toBeNull()
  })
})

describe('invitations', () => {
  const NOW = Date.parse('2026-11-20T12:00:00Z')
  it.each([
    ['2026-11-27T12:00:00Z', 'expires in 7 days'],
    ['2026-11-27T11:59:00Z', 'expires in 7 days'],
    ['2026-11-21T13:00:00Z', 'expires tomorrow'],
    ['2026-11-20T15:30:00Z', 'expires in 3 hours'],
    ['2026-11-20T12:10:00Z', 'expires within the hour'],
    ['2026-11-20T11:00:00Z', 'expired today'],
    ['2026-11-17T11:00:00Z', 'expired 3 days ago'],
  ])('that end at %s %s', (at, words) => {
    expect(describeExpiry(at, NOW)).toBe(words)
  })
  it('say how many went and how many need another look', () => {
    const lines = (...outcomes: Parameters<typeof describeSent>[0][number]['outcome'][]) =>
      outcomes.map((outcome) => ({ outcome }))
    expect(describeSent(lines('sent'))).toBe('1 person invited')
    expect(describeSent(lines('sent', 'renewed', 'member', 'no_seat', 'invalid'))).toBe(
      '2 people invited, 2 addresses to check',
    )
    expect(describeSent(lines('member'))).toBe('No invitations sent')
  })
})

describe('what may be done with a member', () => {
  const all = { edit: true, transfer: true, write: true }
  const dialogs = (...given: Parameters<typeof memberActions>) => memberActions(...given).map(({ dialog }) => dialog)
  it('is everything for an owner', () => {
    expect(dialogs(memberFixture(), all)).toEqual(['role', 'suspend', 'ownership', 'remove'])
  })
  it('leaves owners to owners, and handing over to owners', () => {
    expect(dialogs(memberFixture({ role: 'owner' }), { ...all, transfer: false })).toEqual([])
    expect(dialogs(memberFixture({ role: 'owner' }), all)).toEqual(['role', 'suspend', 'remove'])
    expect(dialogs(memberFixture(), { ...all, transfer: false })).toEqual(['role', 'suspend', 'remove'])
  })
  it('is leaving alone with oneself, and nothing for who looks only', () => {
    expect(dialogs(memberFixture({ self: true, role: 'owner' }), all)).toEqual(['leave'])
    expect(memberActions(memberFixture({ self: true, role: 'owner' }), all)[0]?.disabledNote).toBeUndefined()
    expect(dialogs(memberFixture(), { edit: false, transfer: false, write: true })).toEqual([])
  })
  it('says to the only owner why they cannot leave', () => {
    const [leave] = memberActions(memberFixture({ self: true, role: 'owner', soleOwner: true }), all)
    expect(leave?.disabledNote).toBe('You’re the only owner. Transfer ownership first.')
  })
  it('lets suspended people in again, and never offers them the workspace', () => {
    expect(dialogs(memberFixture({ status: 'suspended' }), all)).toEqual(['resume', 'remove'])
  })
  it('is still removal and handing over while nothing may be changed', () => {
    expect(dialogs(memberFixture(), { ...all, write: false })).toEqual(['ownership', 'remove'])
  })
})

describe('refusals and belongings', () => {
  const refused = (code: ErrorCode, details = {}) =>
    new ApiError(ERRORS[code].status, { code, message: '', requestId: 'r', ...details })
  it('are said in the words of this screen', () => {
    expect(memberErrorText(refused('in_use'), 'Bo')?.title).toBe('A workspace needs an owner')
    expect(
      memberErrorText(refused('limit_reached', { limit: 'analysts', addOn: 'extra_analyst' }), 'Bo')?.advice,
    ).toMatch(/to viewer first/)
    expect(memberErrorText(refused('version_conflict'), 'Bo')?.title).toBe('Someone else changed Bo')
    expect(memberErrorText(refused('not_found'), 'Bo')?.title).toMatch(/^Bo is no longer a member/)
    expect(memberErrorText(refused('internal'), 'Bo')).toBeNull()
  })
  it('count what goes to an heir', () => {
    const none = {
      sources: 0,
      insights: 0,
      metrics: 0,
      groupings: 0,
      alerts: 0,
      forecasts: 0,
      reports: 0,
      schedules: 0,
    }
    expect(describeOwnedItems({ ...none, sources: 3, insights: 5 })).toBe('3 data sources and 5 insights')
    expect(describeOwnedItems({ ...none, insights: 1 })).toBe('1 insight')
    expect(describeOwnedItems({ ...none, sources: 1, metrics: 2, groupings: 1, alerts: 4 })).toBe(
      '1 data source, 2 metrics, 1 grouping and 4 alerts',
    )
    expect(describeOwnedItems({ ...none, alerts: 1 })).toBe('1 alert')
    expect(describeOwnedItems(none)).toBeNull()
  })
})
