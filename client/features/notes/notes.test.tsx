import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CommentButton } from './comments/comment-button'
import { CommentsDrawer } from './comments/comments-drawer'
import { parseNote, mentionAtCursor } from './parse-note'
import { NotesPanel } from './notes-panel'
import type { Note } from '../../../src/shared/notes'
import type { ReportComment, ReportComments } from '../../../src/shared/reports/comments'
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

describe('comments on a block', () => {
  const REPORT = 'rep_00000000000000000001'
  const SAID = `GET /api/reports/${REPORT}/comments`
  const comment = (over: Partial<ReportComment> = {}): ReportComment => {
    const { insightId: _insight, bucket: _bucket, ...rest } = note()
    return {
      ...{ ...rest, id: 'cmt_00000000000000000001', reportId: REPORT, block: 'block1', audience: 'sameRights' },
      ...{ resolvedAt: null, resolvedByName: null, ...over },
    }
  }
  const said = (items: ReportComment[], over: Partial<ReportComments> = {}): MockReply => {
    const whole: ReportComments = {
      ...{ items, nextCursor: null, withheld: {}, blocks: ['block1'], mayRelease: false },
      ...over,
    }
    return () => jsonResponse(whole)
  }
  const draw = () =>
    renderWithProviders(
      <>
        <CommentButton report={REPORT} block="block1" title="Sales" onOpen={() => undefined} />
        <CommentButton report={REPORT} block="other1" title="Hidden" onOpen={() => undefined} />
        <CommentsDrawer report={REPORT} block="block1" title="Sales" onClose={() => undefined} />
      </>,
    )

  it('are counted on its tile, posted by keyboard, resolved and folded away', async () => {
    const done = { resolvedAt: '2026-11-21T10:00:00.000Z', resolvedByName: 'Ada' }
    const calls = mockServer({
      [SAID]: said([comment(), comment({ id: 'cmt_2', body: 'Old', ...done })], { withheld: { block1: 2 } }),
      [`POST /api/reports/${REPORT}/comments`]: () => jsonResponse(comment(), 201),
      [`PUT /api/reports/${REPORT}/comments`]: said([comment(done)]),
    })
    await draw()
    expect(await screen.findByRole('button', { name: '1 comment on Sales', hidden: true })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /on Hidden/, hidden: true })).toBeNull()
    const drawer = await screen.findByRole('dialog', { name: 'Comments on Sales' })
    expect(within(drawer).getByText(/^2 comments aren’t shown/)).toBeVisible()
    expect(within(drawer).queryByText('Old')).toBeNull()
    await userEvent.click(within(drawer).getByRole('button', { name: 'Show 1 resolved comment' }))
    expect(within(drawer).getByText(/resolved by Ada/)).toBeVisible()
    await userEvent.type(within(drawer).getByLabelText('Your comment'), 'Why?{Control>}{Enter}{/Control}')
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
        ...{ block: 'block1', body: 'Why?', mentions: [], audience: 'sameRights' },
      }),
    )
    await userEvent.click(within(drawer).getByRole('button', { name: 'Resolve' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ block: 'block1', resolved: true }),
    )
  })

  it('are only read where nothing may be written', async () => {
    setSession(memberPageData('client'))
    mockServer({ [SAID]: said([comment({ mayEdit: true })]) })
    await draw()
    await screen.findByText('Agreed')
    expect(screen.queryByLabelText('Your comment')).toBeNull()
    expect(screen.queryByRole('button', { name: /Actions for|Resolve/ })).toBeNull()
  })
})
