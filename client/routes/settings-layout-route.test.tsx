import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { WorkspaceSettingsLayout } from './settings-layout-route'
import { SectionNav } from '../ui/section-nav'
import { setSession } from '../lib/session'
import { memberPageData } from '../test/page-data'
import { renderWithProviders } from '../test/render'
import type { Role } from '../../src/shared/permissions'

const labels = (): (string | null)[] => screen.queryAllByRole('link').map(({ textContent }) => textContent)

describe('the pages of the settings', () => {
  beforeEach(() => setSession(memberPageData('owner')))

  it.each([
    ['owner', ['Workspace', 'Members', 'Subscription', 'Accounts', 'Currencies', 'Recently deleted', 'Audit log']],
    ['admin', ['Workspace', 'Members', 'Subscription', 'Accounts', 'Currencies', 'Recently deleted', 'Audit log']],
    ['analyst', ['Workspace', 'Members', 'Accounts', 'Currencies', 'Recently deleted']],
    ['viewer', ['Workspace', 'Members', 'Accounts', 'Currencies']],
    ['client', []],
  ] satisfies [Role, string[]][])('are those that the role of %s may open', async (role, expected) => {
    setSession(memberPageData(role))
    await renderWithProviders(<WorkspaceSettingsLayout />)
    expect(labels()).toEqual(expected)
  })

  it('mark the page that is open, for readers of the screen too', async () => {
    const entries = [
      { label: 'Here', to: '/' },
      { label: 'There', to: '/settings/workspace' },
    ] as const
    await renderWithProviders(<SectionNav label="Pages" entries={entries} path="/" />)
    expect(screen.getByRole('navigation', { name: 'Pages' })).toBeVisible()
    expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('Here')
  })

  it('need no row of links when there is one', async () => {
    await renderWithProviders(<SectionNav label="Pages" entries={[{ label: 'Here', to: '/' }]} path="/" />)
    expect(screen.queryByRole('navigation')).toBeNull()
  })
})
