import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Gate, useMay } from './gate'
import { setSession } from './session'
import { member, visitor } from '../test/page-data'
import { show } from '../test/render'

function Answer() {
  return <p>{useMay('edit:workspace') ? 'may edit' : 'may look'}</p>
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
})
