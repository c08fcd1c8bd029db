import { describe, expect, it } from 'vitest'
import { auditDetails } from './audit-details'

describe('what the audit log keeps of a change', () => {
  it('is the name of the thing, and words that changed from what to what', () => {
    const before = { name: 'Sales', currency: 'SEK', plan: { rows: [1] }, body: 'secret' }
    expect(JSON.parse(auditDetails({ entity: 'insight', before, after: { ...before, name: 'Orders' } }) ?? '')).toEqual(
      {
        name: 'Orders',
        changes: [{ field: 'name', from: 'Sales', to: 'Orders' }],
      },
    )
    expect(auditDetails({ entity: 'note', after: { body: 'secret' } })).toBeNull()
  })

  it('holds no name and no address of people', () => {
    const person = { name: 'Anna', email: 'anna@example.com', role: 'viewer' }
    for (const entity of ['user', 'member', 'invite']) {
      const kept = auditDetails({ entity, before: person, after: { ...person, name: 'Ann', role: 'admin' } })
      expect(JSON.parse(kept ?? '')).toEqual({ changes: [{ field: 'role', from: 'viewer', to: 'admin' }] })
    }
  })
})
