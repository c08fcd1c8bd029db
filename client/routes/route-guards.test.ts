import { beforeEach, describe, expect, it } from 'vitest'
import { requireNoWorkspace, requireWorkspace } from './route-guards'
import { setSession } from '../lib/session'
import { ANNA, memberPageData, visitorPageData } from '../test/page-data'

const at = (pathname: string) => ({ location: { href: pathname, pathname } })
/** Where a guard sends, or null where it lets pass. */
function sentTo(guard: typeof requireWorkspace, pathname: string): unknown {
  try {
    guard(at(pathname))
    return null
  } catch (thrown) {
    const { options } = Object(thrown)
    return Object(options).to
  }
}

describe('a person in no workspace', () => {
  beforeEach(() => setSession(visitorPageData({ user: ANNA })))

  it('is told what happened, wherever they were going, and reaches their own settings', () => {
    for (const path of ['/data-sources', '/settings/workspace', '/insights/ins_1'])
      expect(sentTo(requireWorkspace, path)).toBe('/no-workspace')
    expect(sentTo(requireWorkspace, '/settings/profile/authentication')).toBeNull()
    expect(sentTo(requireNoWorkspace, '/no-workspace')).toBeNull()
  })

  it('who is new goes through the first steps instead', () => {
    setSession(visitorPageData({ user: { ...ANNA, onboarding: 'workspace' } }))
    expect(sentTo(requireWorkspace, '/data-sources')).toBe('/onboarding/workspace')
    expect(sentTo(requireNoWorkspace, '/no-workspace')).toBe('/onboarding/workspace')
  })

  it('is led on once they belong to one again', () => {
    setSession(memberPageData())
    expect(sentTo(requireNoWorkspace, '/no-workspace')).toBe('/data-sources')
    expect(sentTo(requireWorkspace, '/data-sources')).toBeNull()
  })
})
