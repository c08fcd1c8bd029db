import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { matches, useSearchActions } from './search-actions'
import { setSession } from '../../lib/session'
import { member } from '../../test/page-data'
import { show } from '../../test/render'
import type { Role } from '../../../src/shared/permissions'

function Labels() {
  return useSearchActions().map(({ id, label }) => <p key={id}>{label}</p>)
}

it.each([
  ['admin', ['Connect source', 'Invite people', 'Recently deleted', 'Audit log', 'Members', 'Sign out'], []],
  ['analyst', ['Connect source', 'Recently deleted', 'Members', 'Sign out'], ['Invite people', 'Audit log']],
  [
    'viewer',
    ['Members', 'Your profile', 'Sign out'],
    ['Connect source', 'New insight', 'Recently deleted', 'Audit log'],
  ],
  ['client', ['Insights', 'Your profile', 'Sign out'], ['Members', 'Workspace settings', 'Invite people']],
] satisfies [Role, string[], string[]][])(
  'leads a person in the role of %s only where they may go',
  async (role, there, not) => {
    setSession(member(role))
    await show(<Labels />)
    for (const label of there) expect(screen.getByText(label)).toBeVisible()
    for (const label of not) expect(screen.queryByText(label)).toBeNull()
  },
)

it('finds an action by the beginnings of its words', () => {
  expect(matches({ label: 'Sign-in and security' }, 'sec sign')).toBe(true)
  expect(matches({ label: 'Sign-in and security' }, 'urity')).toBe(false)
})
