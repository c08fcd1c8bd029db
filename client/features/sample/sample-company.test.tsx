import axe from 'axe-core'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { SampleStatusBar, SampleOffer } from './sample-company'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'
import type { Sample } from '../../../src/shared/sample'

const sample = (over: Partial<Sample> = {}): Sample => ({
  state: 'none',
  done: 0,
  stages: 6,
  message: null,
  sourceIds: [],
  ...over,
})
const loading = sample({ state: 'loading', done: 3, message: 'Reading the ledger' })

beforeEach(() => setSession(memberPageData()))

describe('the offer of the sample company', () => {
  it('brings it in with one click', async () => {
    const calls = mockServer({
      'GET /api/sample': () => jsonResponse(sample()),
      'POST /api/sample': () => jsonResponse(loading, 202),
    })
    const onStarted = vi.fn()
    await renderWithProviders(<SampleOffer onStarted={onStarted} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Explore demo data' }))
    await waitFor(() => expect(onStarted).toHaveBeenCalledTimes(1))
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(screen.queryByRole('button')).toBeNull()
  })

  it.each([
    ['while there is one', 'owner', 'ready'],
    ['while it comes in', 'owner', 'loading'],
    ['to somebody who may not create sources', 'viewer', 'none'],
  ] as const)('is not made %s', async (_when, role, state) => {
    setSession(memberPageData(role))
    const calls = mockServer({ 'GET /api/sample': () => jsonResponse(sample({ state })) })
    await renderWithProviders(<SampleOffer />)
    await waitFor(() => expect(calls).not.toHaveLength(0))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('the sample company above a list', () => {
  it('says how far it is while it comes in', async () => {
    mockServer({ 'GET /api/sample': () => jsonResponse(loading) })
    const { container } = await renderWithProviders(<SampleStatusBar />)
    expect(await screen.findByText('Adding sample data: reading the ledger')).toBeVisible()
    expect(screen.getByText('Step 4 of 6')).toBeVisible()
    const { violations } = await axe.run(container, {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    })
    expect(violations).toEqual([])
  })

  it('says why it stopped, and starts over when asked', async () => {
    const failed = sample({ state: 'failed', message: 'It stopped half-way. Try again.' })
    mockServer({ 'GET /api/sample': () => jsonResponse(failed), 'POST /api/sample': () => jsonResponse(loading, 202) })
    await renderWithProviders(<SampleStatusBar />)
    expect(await screen.findByRole('alert')).toHaveTextContent('It stopped half-way.')
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Step 4 of 6')).toBeVisible()
  })

  it('goes after one question, and names the insights a person built on it before they go too', async () => {
    const dependents = [{ type: 'insight', id: 'ins_1', name: 'My own question' }]
    const calls = mockServer({
      'GET /api/sample': () => jsonResponse(sample({ state: 'ready' })),
      'DELETE /api/sample': [
        () => errorResponse('in_use', { dependents }),
        () => jsonResponse(sample({ state: 'removed' })),
      ],
    })
    await renderWithProviders(<SampleStatusBar />)
    await userEvent.click(await screen.findByRole('button', { name: 'Remove sample' }))
    const dialog = await screen.findByRole('dialog')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Remove sample' }))
    expect(await within(dialog).findByText('My own question')).toBeVisible()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Remove anyway' }))
    await waitFor(() => expect(screen.queryByText(/made up/)).toBeNull())
    expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(2)
  })
})
