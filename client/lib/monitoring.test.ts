import { describe, expect, it } from 'vitest'
import { isRedirect, keepsTransaction, NOT_FOUND_TRANSACTION } from './monitoring'

describe('what the browser reports', () => {
  it.each([
    [{ transaction: '/insights', status: 'ok' }, true],
    [{ transaction: NOT_FOUND_TRANSACTION, status: 'ok' }, false],
    [{ transaction: '/insights', status: 'cancelled' }, false],
    [{ transaction: '/insights', status: 'deadline_exceeded' }, false],
  ])('keeps of %o only completed navigations to real pages', (event, kept) => {
    expect(keepsTransaction(event)).toBe(kept)
  })

  it('knows a redirect from an error', () => {
    expect(isRedirect({ isRedirect: true })).toBe(true)
    expect(isRedirect(new Error('x'))).toBe(false)
    expect(isRedirect(null)).toBe(false)
  })
})
