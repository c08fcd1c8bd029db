import { screen } from '@testing-library/react'
import axe from 'axe-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { PlannedFeatureScreen } from './planned-feature-screen'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { PLANNED_FEATURES } from '../../../src/shared/planned-features'

describe('the page of a feature that is not built yet', () => {
  beforeEach(() => setSession(memberPageData('owner')))

  it.each(PLANNED_FEATURES)('$path says what it is for and where to go, and sells nothing', async ({ path, name }) => {
    const { container } = await renderWithProviders(<PlannedFeatureScreen path={path} />)
    expect(screen.getByRole('heading', { level: 1, name })).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Not available yet' })).toBeVisible()
    expect(screen.getAllByRole('link')).toHaveLength(1)
    expect(container).not.toHaveTextContent(/€|upgrade|choose/i)
    expect((await axe.run(container)).violations).toEqual([])
  })
})
