import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { SettingsLayout } from './settings-layout-route'
import { SectionNav } from '../ui/section-nav'
import { setSession } from '../lib/session'
import { memberPageData } from '../test/page-data'
import { renderWithProviders } from '../test/render'
import type { Role } from '../../src/shared/permissions'

const labels = (): (string | null)[] => screen.queryAllByRole('link').map(({ textContent }) => textContent)
const OWN = ['Profile', 'Sign-in and security']

describe('the pages of the settings', () => {
  beforeEach(() => setSession(memberPageData('owner')))

  it.each([
    [
      'owner',
      [
        'Workspace',
        'Members',
        'Subscription',
        'Accounts',
        'Currencies',
        'Data access',
        'Recently deleted',
        'Audit log',
      ],
    ],
    [
      'admin',
      [
        'Workspace',
        'Members',
        'Subscription',
        'Accounts',
        'Currencies',
        'Data access',
        'Recently deleted',
        'Audit log',
      ],
    ],
    ['analyst', ['Workspace', 'Members', 'Accounts', 'Currencies', 'Recently deleted']],
    ['viewer', ['Workspace', 'Members', 'Accounts', 'Currencies']],
    ['client', []],
  ] satisfies [Role, string[]][])('are those that the role of %s may open, and one’s own', async (role, expected) => {
    setSession(memberPageData(role))
    await renderWithProviders(<SettingsLayout />)
    expect(labels()).toEqual([...expected, ...OWN])
  })

  it('stand in one navigation, in a list each for the workspace and the person', async () => {
    await renderWithProviders(<SettingsLayout />)
    const nav = screen.getByRole('navigation', { name: 'Settings' })
    expect(within(within(nav).getByRole('list', { name: 'Your settings' })).getAllByRole('link')).toHaveLength(
      OWN.length,
    )
    expect(within(nav).getByRole('list', { name: 'Workspace settings' })).toBeVisible()
  })

  it('mark the page that is open, for readers of the screen too', async () => {
    const entries = [
      { label: 'Here', to: '/' },
      { label: 'There', to: '/settings/workspace' },
    ] as const
    await renderWithProviders(<SectionNav label="Pages" groups={[{ label: 'All', entries }]} path="/" />)
    expect(screen.getByRole('navigation', { name: 'Pages' })).toBeVisible()
    expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('Here')
  })

  it('need no links when there is one', async () => {
    const groups = [{ label: 'All', entries: [{ label: 'Here', to: '/' }] }] as const
    await renderWithProviders(<SectionNav label="Pages" groups={groups} path="/" />)
    expect(screen.queryByRole('navigation')).toBeNull()
  })
})
