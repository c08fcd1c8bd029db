import { describe, expect, it } from 'vitest'
import { describeAudit } from './audit'

describe('a line of the audit log', () => {
  it.each([
    ['insight.delete', { name: 'Sales' }, 'deleted insight “Sales”'],
    ['insight.delete', {}, 'deleted an insight'],
    [
      'source.update',
      { name: 'Orders', changes: [{ field: 'name', from: 'Sales', to: 'Orders' }] },
      'renamed data source “Sales” → “Orders”',
    ],
    [
      'member.update',
      { name: 'Bo Ek', changes: [{ field: 'role', from: 'viewer', to: 'analyst' }] },
      'changed Bo Ek: role viewer → analyst',
    ],
    ['member.update', {}, 'changed a member'],
    [
      'invite.create',
      { name: 'bo@x.se', changes: [{ field: 'role', from: null, to: 'viewer' }] },
      'invited bo@x.se: role viewer',
    ],
    ['ownership.offer', { person: 'Bo Ek' }, 'offered ownership to Bo Ek'],
    ['ownership.offer', {}, 'offered ownership to another member'],
    [
      'digest.update',
      { changes: [{ field: 'value', from: 'weekly', to: 'daily' }] },
      'changed their digest frequency: weekly → daily',
    ],
    [
      'workspace.update',
      {
        changes: [
          { field: 'name', from: 'A', to: 'B' },
          { field: 'currency', from: 'SEK', to: 'EUR' },
        ],
      },
      'changed workspace settings: name “A” → “B”, currency SEK → EUR',
    ],
    ['relation.create', { name: 'orders.customer_id to customers.id' }, 'linked orders.customer_id to customers.id'],
    ['relation.create', {}, 'linked two tables'],
    [
      'relation.remove',
      { name: 'orders.customer_id to customers.id' },
      'removed relationship “orders.customer_id to customers.id”',
    ],
    ['relation.confirmed', {}, 'confirmed a relationship'],
    ['target.update', { name: 'Sales' }, 'set targets of “Sales”'],
    ['target.update', {}, 'set targets of a measure'],
    ['note.create', { name: 'Sales' }, 'added a note or comment to insight “Sales”'],
    [
      'subscription.changed',
      { changes: [{ field: 'planId', from: 'personal', to: 'standard' }] },
      'updated the subscription from billing: plan Personal → Standard',
    ],
    [
      'workspace.update',
      {
        changes: [
          { field: 'country', from: 'SE', to: 'NO' },
          { field: 'fiscalYearStart', from: '1', to: '7' },
        ],
      },
      'changed workspace settings: country Sweden → Norway, fiscal year start January → July',
    ],
    ['old.thing', { name: 'x' }, 'did “old.thing”'],
  ] as const)('%s %j says who it is about and what changed', (action, details, words) => {
    expect(describeAudit(action, details)).toBe(words)
  })
})
