import { describe, expect, it } from 'vitest'
import { conflictRows } from './workspace-settings-form'
import { summarizeFreshness } from './data-freshness'
import { initials } from '../../ui/person-avatar'
import { navigationFor } from './navigation'
import { describeTrial } from './trial-note'
import { toWorkspaceValues } from './workspace-fields'
import { PERMISSIONS } from '../../../src/shared/permissions'
import type { SourceState } from '../../../src/shared/data-sources/source-states'
import type { Workspace } from '../../../src/shared/workspaces/workspaces'

const NOW = Date.parse('2026-06-30T12:00:00Z')
const DAY_MS = 86_400_000

const source = (state: SourceState, daysAgo: number | null) => ({
  name: 'Orders',
  state,
  datasets: [
    {
      id: 'ds_1',
      sourceId: 'src_1',
      name: 'Orders',
      rowCount: 1,
      bytes: 1,
      dataVersion: 1,
      columns: [],
      keyColumns: [],
      cleaning: [],
      rowsRejected: 0,
      rowsDuplicate: 0,
      loadedAt: daysAgo === null ? null : new Date(NOW - daysAgo * DAY_MS).toISOString(),
      version: 1,
    },
  ],
})

describe('freshness', () => {
  it('says nothing about a workspace without data', () => {
    expect(summarizeFreshness([], NOW)).toBeNull()
    expect(summarizeFreshness([source('draft', null)], NOW)).toBeNull()
  })
  it('names the failed source before anything else', () => {
    const found = summarizeFreshness([source('ready', 1), source('failed', 1), source('syncing', 1)], NOW)
    expect(found).toMatchObject({ state: 'failed', words: '1 source failed' })
    expect(found?.detail).toContain('Orders')
  })
  it('turns amber when the oldest data is older than a month’s closing', () => {
    expect(summarizeFreshness([source('ready', 1)], NOW)).toMatchObject({
      state: 'fresh',
      words: 'Updated yesterday',
    })
    expect(summarizeFreshness([source('ready', 1), source('ready', 40)], NOW)?.state).toBe('stale')
  })
})

describe('trial', () => {
  const trial = (daysLeft: number) => ({ state: 'trialing', trialEndsAt: NOW + daysLeft * DAY_MS }) as const
  it('counts started days as whole ones', () => {
    expect(describeTrial(trial(6.2), NOW)).toBe('Trial: 7 days left')
    expect(describeTrial(trial(0.5), NOW)).toBe('Trial: last day')
    expect(describeTrial(trial(-1), NOW)).toBe('Trial ended')
    expect(describeTrial({ state: 'active', trialEndsAt: null }, NOW)).toBeNull()
  })
})

describe('navigation', () => {
  it('leaves out groups a role may not open', () => {
    expect(navigationFor(PERMISSIONS.client)).toEqual([])
    expect(navigationFor(PERMISSIONS.viewer).map(({ label }) => label)).toEqual([
      'Data',
      'Understand',
      'Ahead',
      'Share',
      'Settings',
    ])
  })
})

describe('initials', () => {
  it('take the first and the last word', () => {
    expect(initials('Anna Maria Lindqvist')).toBe('AL')
    expect(initials('  öland  ')).toBe('Ö')
    expect(initials('')).toBe('')
  })
})

describe('version conflict', () => {
  it('lists only what differs, in words', () => {
    const stored: Workspace = {
      id: 'ws_one',
      version: 2,
      name: 'Nordträ',
      country: 'SE',
      currency: 'SEK',
      numberLocale: 'sv-SE',
      timeZone: 'Europe/Stockholm',
      fiscalYearStart: 1,
      weekStart: 'monday',
      mailDomains: [],
      reportDomains: [],
      logo: null,
    }
    const mine = { ...toWorkspaceValues(stored), currency: 'EUR' }
    expect(conflictRows(mine, stored)).toEqual([{ label: 'Currency', mine: 'EUR', theirs: 'SEK' }])
  })
})
