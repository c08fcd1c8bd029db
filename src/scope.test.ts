import { expect, it } from 'vitest'
import { accessFingerprint, hasFullAccess, Scope } from './scope'
import { systemIds } from './deps'

const jobOf = (workspaceId: string, userId = systemIds.next('user')): Scope =>
  Scope.forJob({ workspaceId, userId, epoch: '1.1' })

it('names rights alike for everybody who may see the same, and otherwise for whoever may not', () => {
  const id = systemIds.next('workspace')
  expect(accessFingerprint(jobOf(id))).toBe(accessFingerprint(jobOf(id)))
  expect(accessFingerprint(Scope.forSystem(id))).not.toBe(accessFingerprint(jobOf(id)))
  expect([hasFullAccess(jobOf(id)), hasFullAccess(Scope.forSystem(id))]).toEqual([true, false])
})
