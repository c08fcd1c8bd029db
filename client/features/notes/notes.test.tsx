import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseNote, mentionAtCursor } from './parse-note'
import { NotesPanel } from './notes-panel'
import type { Note } from '../../../src/shared/notes'
import { queryClient } from '../../lib/queries/query-client'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, mockServer, type MockReply } from '../../test/mock-server'

const ID = 'ins_00000000000000000001'
const LIST = `GET /api/insights/${ID}/notes`
const AXIS = {
  grain: 'month' as const,
  buckets: [
    { start: '2026-02-01', label: 'Feb 2026' },
    { start: '2026-03-01', label: 'Mar 2026' },
  ],
}
const note = (over: Partial<Note> = {}): Note => ({
  ...{ id: 'not_00000000000000000001', insightId: ID, bucket: null, body: 'Agreed', mentions: [] },
  ...{ authorId: 'usr_bo', authorName: 'Bo Ek', authorAvatar: null, version: 1 },
  ...{ createdAt: '2026-11-20T10:00:00.000Z', editedAt: null, mayEdit: false, mayDelete: false },
  ...over,
})
const page =
  (...items: unknown[]): MockReply =>
  () =>
    jsonResponse({ items, nextCursor: null })

beforeEach(() => setSession(memberPageData('viewer')))
afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

describe('the text of a note', () => {
  it('links whole addresses of the web and nothing else', () => {
    const links = (body: string) => parseNote(body, []).flatMap((piece) => (piece.kind === 'link' ? [piece.href] : []))
    expect(links('See https://example.com/a?b=1. And (http://x.se/), too')).toEqual([
      ...['https://example.com/a?b=1', 'http://x.se/'],
    ])
    for (const body of [
      'javascript:alert(1)',
      'https://me:secret@x.se',
      'data:text/html,x',
      'xhttps://x.se',
      'https://',
    ])
      expect(links(body), body).toEqual([])
  })

  it('keeps every character, and names the longest name that fits', () => {
    const body = '@Anna Berg saw https://x.se/é, @Anna did not'
    const pieces = parseNote(body, ['Anna', 'Anna Berg'])
    expect(pieces.map(({ text }) => text).join('')).toBe(body)
    expect(pieces.filter(({ kind }) => kind === 'person').map(({ text }) => text)).toEqual(['@Anna Berg', '@Anna'])
  })

  it('offers names only after an @ that begins a word', () => {
    expect(mentionAtCursor('Ask @Ann', 8)).toEqual({ from: 4, typed: 'Ann' })
    expect(mentionAtCursor('@Anna Be', 8)).toEqual({ from: 0, typed: 'Anna Be' })
    expect(mentionAtCursor('bo@example', 10)).toBeNull()
  })
})

describe('notes and comments', () => {
  it('shows who said what, and of which unit of time; what was written stays text', async () => {
    mockServer({
      [LIST]: page(
        note({ body: '<img src=x> https://x.se' }),
        note({ id: 'not_2', bucket: { start: '2026-03-01', grain: 'month' }, body: 'Price rise' }),
      ),
    })
    const { container } = await renderWithProviders(<NotesPanel insightId={ID} axis={AXIS} />)
    const [first, second] = await screen.findAllByRole('listitem')
    expect(first).toHaveTextContent('<img src=x>')
    expect(within(first ?? document.body).getByRole('link')).toHaveAttribute('rel', 'noopener noreferrer nofollow')
    expect(second).toHaveTextContent('Mar 2026')
    expect(screen.queryByRole('button', { name: /Actions for/ })).toBeNull()
    expect((await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })).violations).toEqual([])
  })

  it('names a colleague by @ and sends whom the text still names', async () => {
    const anna = { userId: 'usr_00000000000000000001', name: 'Anna Berg', avatar: null, role: 'viewer' }
    const calls = mockServer({
      [LIST]: page(),
      'GET /api/members': page(anna),
      [`POST /api/insights/${ID}/notes`]: () => jsonResponse(note(), 201),
    })
    await renderWithProviders(<NotesPanel insightId={ID} axis={null} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Add note' }))
    await userEvent.type(await screen.findByLabelText('Your comment'), 'Look @Ann')
    await userEvent.click(await screen.findByRole('option', { name: /Anna Berg/, hidden: true }))
    expect(screen.getByLabelText('Your comment')).toHaveValue('Look @Anna Berg ')
    await userEvent.click(screen.getByRole('button', { name: 'Post comment' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
        ...{ body: 'Look @Anna Berg ', bucket: null, mentions: [anna.userId] },
      }),
    )
  })

  it('changes what is one’s own', async () => {
    const own = note({ mayEdit: true, mayDelete: true })
    const calls = mockServer({
      [LIST]: page(own),
      [`PUT /api/notes/${own.id}`]: () => jsonResponse({ ...own, version: 2 }),
    })
    await renderWithProviders(<NotesPanel insightId={ID} axis={AXIS} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for comment by Bo Ek' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    await userEvent.type(screen.getByLabelText('Edit comment'), ' now')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({ body: 'Agreed now', version: 1 }),
    )
  })

  it('offers nothing to write while nothing may be changed', async () => {
    const data = memberPageData('viewer')
    const { workspace } = data
    if (!workspace) throw new Error('no workspace')
    setSession({
      ...data,
      workspace: { ...workspace, entitlements: { ...workspace.entitlements, readOnly: 'trial_expired' } },
    })
    mockServer({ [LIST]: page(note({ mayEdit: true })) })
    await renderWithProviders(<NotesPanel insightId={ID} axis={AXIS} />)
    await screen.findByText('Agreed')
    expect(screen.queryByLabelText('Your comment')).toBeNull()
    expect(screen.queryByRole('button', { name: /Actions for/ })).toBeNull()
  })
})
