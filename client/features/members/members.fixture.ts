import type { Member } from '../../../src/shared/members'

export const BO_ID = 'usr_00000000000000000002'

/** A member as the list shows them, for tests. */
export const memberFixture = (over: Partial<Member> = {}): Member => ({
  userId: BO_ID,
  name: 'Bo Ek',
  avatar: null,
  email: 'bo@example.com',
  role: 'analyst',
  status: 'active',
  joinedAt: '2026-05-02T08:00:00.000Z',
  lastSeenAt: '2026-11-20T08:00:00.000Z',
  groups: [],
  soleOwner: false,
  restored: false,
  self: false,
  version: 3,
  ...over,
})
