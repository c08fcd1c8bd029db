import { describe, expect, it } from 'vitest'
import { ApiError } from './api'
import { describeError } from './describe-error'
import { planNeedOf } from './plan/upgrade-offer'
import { ERRORS, type ErrorCode, type ErrorDetails } from '../../src/shared/errors'

const refusal = (code: ErrorCode, details: ErrorDetails = {}, message: string = ERRORS[code].message) =>
  new ApiError(ERRORS[code].status, { ...details, code, message, requestId: 'r' })

describe('a refusal of the plan', () => {
  it.each([
    ['plan_required', { feature: 'userGrouping', requiredPlan: 'standard' }, { kind: 'gate', gate: 'userGrouping' }],
    ['limit_reached', { limit: 'dataSources', used: 3, max: 3 }, { kind: 'limit', limit: 'dataSources', count: 4 }],
    ['limit_reached', { limit: 'aiMessages' }, { kind: 'limit', limit: 'aiMessages' }],
    ['read_only', { reason: 'canceled' }, { kind: 'write', reason: 'canceled' }],
    // Limits of the product, not of a plan, and words of a later server.
    ['limit_reached', { limit: 'groups', used: 200, max: 200 }, null],
    ['plan_required', { feature: 'teleport' }, null],
    ['read_only', { reason: 'eclipse' }, null],
    ['forbidden', { permission: 'edit:source' }, null],
  ] as const)('%s %j names what is missing', (code, details, need) => {
    expect(planNeedOf(refusal(code, details))).toEqual(need)
  })

  it('says why a workspace is read-only, and the server’s own words where it has any', () => {
    expect(describeError(refusal('read_only', { reason: 'trial_expired' })).title).toBe('Trial ended')
    const said = 'This source is frozen: the plan has room for fewer. Its data can be read; nothing new comes in.'
    expect(describeError(refusal('read_only', { reason: 'frozen' }, said))).toMatchObject({
      title: 'This source is frozen: the plan has room for fewer',
      advice: 'Its data can be read; nothing new comes in.',
    })
  })

  it('asks nobody to remove what comes back with time', () => {
    const used = { limit: 'aiMessages', used: 100, max: 100, resetsAt: '2026-12-01T00:00:00.000Z' }
    expect(describeError(refusal('limit_reached', used)).advice).toBe('Resets on 1 Dec 2026.')
    const bounced = { limit: 'bouncedMails', used: 5, max: 5, resetsAt: '2026-12-01T00:00:00.000Z' }
    const advice = 'Check the addresses; invitations work again tomorrow.'
    expect(describeError(refusal('limit_reached', bounced)).advice).toBe(advice)
  })

  it('says what makes a query quick enough', () => {
    const error = refusal('query_too_complex', { what: 'time', max: 45 }, 'This query would take too long.')
    expect(describeError(error)).toMatchObject({
      title: 'This query would take too long',
      advice: 'Use fewer breakdowns, a shorter period or a filter.',
    })
  })

  it('says what makes a query small enough', () => {
    const error = refusal('query_too_complex', { what: 'columns' }, ERRORS.query_too_complex.message)
    expect(describeError(error)).toMatchObject({
      title: 'Query too large',
      advice: 'Use shorter formulas, or fewer fields from large related datasets.',
    })
  })
})
