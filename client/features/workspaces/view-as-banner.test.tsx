import { fireEvent, screen, waitFor } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, expect, it, vi } from 'vitest'
import { session, setSession } from '../../lib/session'
import { jsonResponse, mockServer } from '../../test/mock-server'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import type { ViewAs } from '../../../src/shared/session'
import { ReducedRoleBanner } from './subscription-banners'
import { ViewAsBanner } from './view-as-banner'

const viewing = (viewAs: ViewAs | null): void => {
  const data = memberPageData('owner')
  setSession({ ...data, workspace: data.workspace && { ...data.workspace, viewAs } })
}
afterEach(() => vi.unstubAllGlobals())

it('says whose view it is and leads back to one’s own, reading every page anew', async () => {
  const assign = vi.fn()
  viewing({ kind: 'group', name: 'Sales', role: 'viewer', limited: true })
  const calls = mockServer({ 'DELETE /api/data-access/view-as': () => jsonResponse(null) })
  const { container } = await renderWithProviders(<ViewAsBanner />)
  expect(screen.getByRole('status')).toHaveTextContent(
    'Viewing as Sales (group) · Read-only · Data hidden from you stays hidden',
  )
  expect((await axe.run(container)).violations).toEqual([])
  vi.stubGlobal('location', { assign })
  fireEvent.click(screen.getByRole('button', { name: 'Stop viewing' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/settings/workspace/data-access?w=ws_one'))
  expect(calls).toHaveLength(1)
})

it('is not there in one’s own view', async () => {
  viewing(null)
  await renderWithProviders(<ViewAsBanner />)
  expect(screen.queryByRole('status')).toBeNull()
})

it('takes nobody’s seat: the role is that of whom one looks as', async () => {
  viewing({ kind: 'role', name: 'viewer', role: 'viewer', limited: false })
  const { workspace } = session()
  setSession({ ...session(), workspace: workspace && { ...workspace, role: 'viewer' } })
  await renderWithProviders(<ReducedRoleBanner />)
  expect(screen.queryByText('You’re acting as a viewer')).toBeNull()
})

it('leaves permissions to look and to export, so that nothing is offered that would be refused', () => {
  viewing({ kind: 'role', name: 'owner', role: 'owner', limited: false })
  const held = session().workspace?.permissions ?? []
  expect(held).toContain('view:data')
  expect(held).toContain('export:data')
  expect(held.filter((permission) => !/^(view|export):/.test(permission))).toEqual([])
})
