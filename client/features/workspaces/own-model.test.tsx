import { ModalsProvider } from '@mantine/modals'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LanguageModelCard } from './language-model-card'
import { setSession } from '../../lib/session'
import { errorResponse, jsonResponse, mockServer, type MockReply } from '../../test/mock-server'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import type { ModelSettings } from '../../../src/shared/bot/language-model'

const NONE: ModelSettings = {
  ...{ model: false, rowValues: false, version: 0, configured: null, own: null },
  usage: { used: 0, max: 100, resetsAt: null },
}
const OWN: ModelSettings = {
  ...NONE,
  ...{ model: true, version: 1, own: { baseUrl: 'https://api.own.example/v1', model: 'small', hasKey: true } },
}
const person = userEvent.setup()
beforeEach(() => setSession(memberPageData()))
afterEach(() => vi.unstubAllGlobals())

async function card(stored: ModelSettings, put: MockReply) {
  const calls = mockServer({ 'GET /api/bot/model': () => jsonResponse(stored), 'PUT /api/bot/model': put })
  await renderWithProviders(
    <ModalsProvider>
      <LanguageModelCard />
    </ModalsProvider>,
  )
  await screen.findByText('Your own model')
  return () => calls.filter(({ method }) => method === 'PUT').map(({ body }): unknown => body)
}

it('adds an own model where the installation has none, and turns it on', async () => {
  const sent = await card(NONE, () => jsonResponse(OWN))
  expect(screen.getByText(/Questions are answered by rules/)).toBeVisible()
  await person.click(screen.getByRole('button', { name: 'Add model' }))
  await person.click(await screen.findByLabelText('Address'))
  await person.paste('https://api.own.example/v1')
  await person.click(screen.getByLabelText('Model'))
  await person.paste('small')
  await person.click(screen.getByLabelText('API key'))
  await person.paste('sk-1')
  await person.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add model' }))
  await screen.findByText('small at api.own.example')
  expect(screen.getByText(/Sends questions.*api\.own\.example/)).toBeVisible()
  const own = { baseUrl: 'https://api.own.example/v1', model: 'small', apiKey: 'sk-1' }
  expect(sent()).toEqual([{ model: true, rowValues: false, version: 0, own }])
})

it('says beside the field what the endpoint refused, and keeps what was typed', async () => {
  const refused = { fields: { 'own.apiKey': 'The endpoint refused this key.' } }
  await card(OWN, () => errorResponse('invalid_input', refused))
  await person.click(screen.getByRole('button', { name: 'Edit model' }))
  await screen.findByText('Leave empty to keep the stored key.')
  await person.click(screen.getByRole('button', { name: 'Save model' }))
  await screen.findByText('The endpoint refused this key.')
  expect(screen.getByLabelText('Address')).toHaveValue('https://api.own.example/v1')
})

it('is removed after asking, and turned off where nothing takes its place', async () => {
  const sent = await card(OWN, () => jsonResponse({ ...NONE, version: 2 }))
  await person.click(screen.getByRole('button', { name: 'Remove model' }))
  await screen.findByText(/answered by rules/)
  expect(sent()).toEqual([])
  await person.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove model' }))
  await screen.findByRole('button', { name: 'Add model' })
  expect(sent()).toEqual([{ model: false, rowValues: false, version: 1, own: null }])
})
