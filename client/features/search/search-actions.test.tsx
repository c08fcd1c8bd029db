import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useSearchActions } from './search-actions'
import { setSession } from '../../lib/session'
import { memberPageData, pageDataOnPlan } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import type { Role } from '../../../src/shared/permissions'

function Labels() {
  return useSearchActions().map(({ id, label }) => <p key={id}>{label}</p>)
}

it.each([
  ['admin', ['Connect source', 'Invite people', 'Recently deleted', 'Audit log', 'Subscription', 'Sign out'], []],
  [
    'analyst',
    ['Connect source', 'Recently deleted', 'Members', 'Sign out'],
    ['Invite people', 'Audit log', 'Subscription'],
  ],
  [
    'viewer',
    ['Members', 'Metrics', 'Currencies', 'Your profile', 'Sign out'],
    ['New metric', 'Connect source', 'New insight', 'Recently deleted', 'Audit log'],
  ],
  ['client', ['Insights', 'Your profile', 'Sign out'], ['Members', 'Workspace settings', 'Invite people']],
] satisfies [Role, string[], string[]][])(
  'leads a person in the role of %s only where they may go',
  async (role, there, not) => {
    setSession(memberPageData(role))
    await renderWithProviders(<Labels />)
    for (const label of there) expect(screen.getByText(label)).toBeVisible()
    for (const label of not) expect(screen.queryByText(label)).toBeNull()
  },
)

it('begins nothing while nothing may be changed, and still leads to what is there and to the plan', async () => {
  setSession(pageDataOnPlan('owner', 'standard', { readOnly: 'canceled' }))
  await renderWithProviders(<Labels />)
  for (const label of ['Connect source', 'New insight', 'Invite people']) expect(screen.queryByText(label)).toBeNull()
  for (const label of ['Data sources', 'Members', 'Subscription', 'Sign out'])
    expect(screen.getByText(label)).toBeVisible()
})
