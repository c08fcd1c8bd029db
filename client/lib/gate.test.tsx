import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { OverLimitScope, Gate, useRoleWithoutSeat, useMay, useMayWrite } from './gate'
import { setSession } from './session'
import { memberPageData, pageDataOnPlan, visitorPageData } from '../test/page-data'
import { renderWithProviders } from '../test/render'

function Answer() {
  return <p>{useMay('edit:workspace') ? 'may edit' : 'may look'}</p>
}
function Now() {
  return <p>{useMayWrite('edit:source') ? 'may change' : 'may read'}</p>
}
function Held() {
  return <p>{useRoleWithoutSeat() ?? 'as given'}</p>
}
const gate = (
  <Gate needs="fileAnalysis" may="create:source" otherwise={<p>closed</p>}>
    <p>open</p>
  </Gate>
)

describe('gate', () => {
  it('opens when plan and role allow', async () => {
    setSession(memberPageData('analyst', { fileAnalysis: true }))
    await renderWithProviders(gate)
    expect(screen.getByText('open')).toBeVisible()
  })
  it('stays closed on a plan without the feature', async () => {
    setSession(memberPageData('owner', { fileAnalysis: false }))
    await renderWithProviders(gate)
    expect(screen.getByText('closed')).toBeVisible()
  })
  it('stays closed for a role without the permission', async () => {
    setSession(memberPageData('viewer', { fileAnalysis: true }))
    await renderWithProviders(gate)
    expect(screen.getByText('closed')).toBeVisible()
  })
  it('stays closed before sign-in', async () => {
    setSession(visitorPageData())
    await renderWithProviders(gate)
    expect(screen.getByText('closed')).toBeVisible()
  })
  it('answers a permission by role', async () => {
    setSession(memberPageData('viewer'))
    await renderWithProviders(<Answer />)
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
    setSession(pageDataOnPlan(role, 'standard', { readOnly }))
    await renderWithProviders(
      <OverLimitScope frozen={frozen}>
        <Now />
      </OverLimitScope>,
    )
    expect(screen.getByText(words)).toBeVisible()
  })
  it('knows who acts as a viewer for want of a seat', async () => {
    const data = pageDataOnPlan('viewer', 'standard')
    setSession({ ...data, workspaces: data.workspaces.map((one) => ({ ...one, role: 'analyst' as const })) })
    const { unmount } = await renderWithProviders(<Held />)
    expect(screen.getByText('analyst')).toBeVisible()
    unmount()
    setSession(data)
    await renderWithProviders(<Held />)
    expect(screen.getByText('as given')).toBeVisible()
  })
})
