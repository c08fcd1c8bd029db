import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { UsageCard } from './usage-card'
import { memberPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { setSession } from '../../../lib/session'
import type { LimitUsage } from '../../../../src/shared/billing/subscription'

const METERS: LimitUsage[] = [
  { limit: 'users', used: 3, max: 1, resetsAt: null },
  { limit: 'dataSources', used: 3, max: 10, resetsAt: null },
]

it('says that pending invitations count as users, where the list of frozen people is shorter than what is over', async () => {
  setSession(memberPageData('owner'))
  await renderWithProviders(<UsageCard meters={METERS} hasLimits />)
  expect(screen.getByText('2 over limit · Includes pending invitations')).toBeVisible()
  expect(screen.getByText('3 of 10')).toBeVisible()
})

it('counts without limits where no plan is in force', async () => {
  setSession(memberPageData('owner'))
  await renderWithProviders(<UsageCard meters={METERS} hasLimits={false} />)
  expect(screen.getAllByText('3')).toHaveLength(2)
  expect(screen.queryByText(/of 10|over limit/)).toBeNull()
})
