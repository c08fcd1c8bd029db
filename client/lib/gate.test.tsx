import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FrozenScope, Gate, useHeldBack, useMay, useMayNow } from './gate'
import { setSession } from './session'
import { member, onPlan, visitor } from '../test/page-data'
import { show } from '../test/render'

function Answer() {
  return <p>{useMay('edit:workspace') ? 'may edit' : 'may look'}</p>
}
function Now() {
  return <p>{useMayNow('edit:source') ? 'may change' : 'may read'}</p>
}
function Held() {
  return <p>{useHeldBack() ?? 'as given'}</p>
}
const gate = (
  <Gate needs="fileAnalysis" may="create:source" otherwise={<p>closed</p>}>
    <p>open</p>
  </Gate>
)

describe('gate', () => {
  it('opens when plan and role allow', async () => {
    setSession(member('analyst', { fileAnalysis: true }))
    await show(gate)
    expect(screen.getByText('open')).toBeVisible()
  })
  it('stays closed on a plan without the feature', async () => {
    setSession(member('owner', { fileAnalysis: false }))
    await show(gate)
    expect(screen.getByText('closed')).toBeVisible()
  })
  it('stays closed for a role without the permission', async () => {
    setSession(member('viewer', { fileAnalysis: true }))
    await show(gate)
    expect(screen.getByText('closed')).toBeVisible()
  })
  it('stays closed before sign-in', async () => {
    setSession(visitor())
    await show(gate)
    expect(screen.getByText('closed')).toBeVisible()
  })
  it('answers a permission by role', async () => {
    setSession(member('viewer'))
    await show(<Answer />)
    expect(screen.getByText('may look')).toBeVisible()
  })
  it.each([
    ['analyst', null, false, 'may change'],
    ['viewer', null, false, 'may read'],
    ['owner', 'trial_expired', false, 'may read'],
    ['owner', 'restricted', false, 'may read'],
    ['owner', null, true, 'may read'],
  ] as const)('lets an %s whose workspace is %s change a thing that is frozen: %s; %s', async (...row) => {
    const [role, readOnly, frozen, words] = row
    setSession(onPlan(role, 'standard', { readOnly }))
    await show(
      <FrozenScope frozen={frozen}>
        <Now />
      </FrozenScope>,
    )
    expect(screen.getByText(words)).toBeVisible()
  })
  it('knows who acts as a viewer for want of a seat', async () => {
    const data = onPlan('viewer', 'standard')
    setSession({ ...data, workspaces: data.workspaces.map((one) => ({ ...one, role: 'analyst' as const })) })
    const { unmount } = await show(<Held />)
    expect(screen.getByText('analyst')).toBeVisible()
    unmount()
    setSession(data)
    await show(<Held />)
    expect(screen.getByText('as given')).toBeVisible()
  })
})
