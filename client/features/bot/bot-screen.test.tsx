import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { BotScreen } from './bot-screen'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { errorResponse, jsonResponse, mockServer } from '../../test/mock-server'
import { renderWithProviders } from '../../test/render'

const ID = 'cnv_00000000000000000001'
const SUGGESTIONS = { hasData: true, items: ['Sales by month'] }
const conversation = { id: ID, title: '', archived: false, version: 1, messages: 0, sharedAt: null, sharedMessages: 0 }
const shown = {
  onOpen: vi.fn(),
  ...{ conversationId: undefined, question: undefined, sampleOffer: null },
  ...{ renderResult: () => null, renderDrivers: () => null, renderFreshness: () => null },
  ...{ renderDetails: () => null, renderRecords: () => null, menuItems: () => [] },
}

describe('a new conversation', () => {
  beforeEach(() => {
    setSession(memberPageData('analyst'))
    localStorage.clear()
    // Fields that grow with their text wait for fonts, which there are none of here.
    Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })
  })

  /** A server whose first conversation is made when this is. */
  const servedUntil = (made: Promise<Response>) =>
    mockServer({
      'GET /api/bot/suggestions': () => jsonResponse(SUGGESTIONS),
      'GET /api/bot/conversations': () => jsonResponse({ items: [], nextCursor: null }),
      'POST /api/bot/conversations': () => made,
      [`POST /api/bot/conversations/${ID}/messages`]: () => errorResponse('internal'),
    })

  it('asks a suggestion that is clicked twice once', async () => {
    const made = Promise.withResolvers<Response>()
    const calls = servedUntil(made.promise)
    await renderWithProviders(<BotScreen {...shown} />)
    await userEvent.dblClick(await screen.findByRole('button', { name: 'Sales by month' }))
    made.resolve(jsonResponse(conversation, 201))
    await waitFor(() => expect(calls.filter(({ path }) => path.endsWith('/messages'))).toHaveLength(1))
    expect(calls.filter(({ method, path }) => method === 'POST' && path === '/api/bot/conversations')).toHaveLength(1)
  })

  it('gives back a question that could not be sent, and says why', async () => {
    mockServer({
      'GET /api/bot/suggestions': () => jsonResponse(SUGGESTIONS),
      'GET /api/bot/conversations': () => jsonResponse({ items: [], nextCursor: null }),
      'POST /api/bot/conversations': () => {
        throw new TypeError('offline')
      },
    })
    await renderWithProviders(<BotScreen {...shown} />)
    const box = await screen.findByRole('textbox', { name: 'Question' })
    await userEvent.type(box, 'vad kostade frakten?{Enter}')
    await waitFor(() => expect(box).toHaveValue('vad kostade frakten?'))
    expect(screen.getByText(/No connection/)).toBeVisible()
  })

  it('is not stopped by the second half of a double click on Ask', async () => {
    const made = Promise.withResolvers<Response>()
    const calls = servedUntil(made.promise)
    await renderWithProviders(<BotScreen {...shown} />)
    await userEvent.type(await screen.findByRole('textbox', { name: 'Question' }), 'frakt?')
    await userEvent.click(screen.getByRole('button', { name: 'Ask' }))
    await userEvent.click(screen.getByRole('button', { name: 'Stop' }))
    made.resolve(jsonResponse(conversation, 201))
    expect(await screen.findByText(/Something went wrong/)).toBeVisible()
    expect(calls.filter(({ path }) => path.endsWith('/messages'))).toHaveLength(1)
  })
})
