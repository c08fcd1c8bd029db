import { expect, it } from 'vitest'
import { rightsOf, seesEverything } from './rights'
import { Scope } from './scope'
import { systemIds } from '../deps'

const jobOf = (workspaceId: string, userId = systemIds.next('user')): Scope =>
  Scope.forJob({ workspaceId, userId, epoch: '1.1' })

it('names rights alike for everybody who may see the same, and otherwise for whoever may not', () => {
  const id = systemIds.next('workspace')
  expect(rightsOf(jobOf(id))).toBe(rightsOf(jobOf(id)))
  expect(rightsOf(Scope.forSystem(id))).not.toBe(rightsOf(jobOf(id)))
  expect([seesEverything(jobOf(id)), seesEverything(Scope.forSystem(id))]).toEqual([true, false])
})
