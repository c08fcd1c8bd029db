import { screen } from '@testing-library/react'
import { useState } from 'react'
import { vi } from 'vitest'
import type { Mock } from 'vitest'
import { CheckoutScreen } from './checkout-screen'
import type { CheckoutSearch } from './choice'
import { changePreviewFixture } from './samples'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, mockServer } from '../../test/server'
import type { MockReply } from '../../test/server'
import type { Role } from '../../../src/shared/permissions'
import type { ChangePreview, SubscriptionView } from '../../../src/shared/subscription'

/** Anna in a workspace that writes numbers as Britons do. */
export function pageDataFor(role: Role = 'owner') {
  const page = memberPageData(role)
  const { workspace } = page
  return workspace
    ? { ...page, workspace: { ...workspace, settings: { ...workspace.settings, numberLocale: 'en-GB' } } }
    : page
}
export const PREVIEW = 'POST /api/subscription/preview'
export const CHECKOUT = 'POST /api/stripe/checkout'
export const CHANGE = 'PUT /api/subscription'
export const RETAIN = 'PUT /api/subscription/keep'
export const DETAILS = 'PUT /api/subscription/details'

export const serveCheckout = (
  view: SubscriptionView,
  preview: Partial<ChangePreview>,
  over: Record<string, MockReply | MockReply[]> = {},
) =>
  mockServer({
    'GET /api/subscription': () => jsonResponse(view),
    'GET /api/session': () => jsonResponse(pageDataFor()),
    [PREVIEW]: () => jsonResponse(changePreviewFixture(preview)),
    ...over,
  })
export const bodies = (calls: ReturnType<typeof mockServer>, key: string) =>
  calls.filter(({ method, path }) => `${method} ${path}` === key).map(({ body }) => body)

function Screen({ search, onChanged }: { search: CheckoutSearch; onChanged: () => void }) {
  const [now, setNow] = useState(search)
  return (
    <>
      <CheckoutScreen search={now} onSearch={setNow} onChanged={onChanged} />
      <output data-testid="address">{new URLSearchParams(Object.entries(now)).toString()}</output>
    </>
  )
}
export const onChanged: Mock<() => void> = vi.fn<() => void>()
export const renderCheckout = (search: CheckoutSearch = {}) =>
  renderWithProviders(<Screen search={search} onChanged={onChanged} />)
export const address = () => decodeURIComponent(screen.getByTestId('address').textContent ?? '')
export const button = (name: string | RegExp) => screen.findByRole('button', { name })
export const assign: Mock<(url: string | URL) => void> = vi.fn<(url: string | URL) => void>()
