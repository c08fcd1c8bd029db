import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Member } from '../../../src/shared/members'
import type { Page } from '../../../src/shared/names'
import type { CreateNoteInput, Note, UpdateNoteInput } from '../../../src/shared/notes'
import { answer, api, idempotencyKey } from '../../lib/api'
import { queryClient } from '../../lib/query-client'

/** Notes and comments of an insight, the oldest first. */
export const notesQuery = (insightId: string) =>
  queryOptions({
    queryKey: ['notes', insightId],
    queryFn: async ({ signal }) =>
      (await answer<Page<Note>>(api.api.insights[':id'].notes.$get({ param: { id: insightId } }, { init: { signal } })))
        .items,
  })

const PEOPLE = '8'
/** Members by part of their name: whom an @ may name. */
export const namedQuery = (q: string) =>
  queryOptions({
    queryKey: ['members', 'named', q],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { limit: PEOPLE, status: 'active', ...(q === '' ? {} : { q }) } as const
      const page = await answer<Page<Member>>(api.api.members.$get({ query }, { init: { signal } }))
      return page.items.filter(({ role }) => role !== 'client')
    },
  })

const once = () => ({ headers: { 'idempotency-key': idempotencyKey() } })
const changed = (insightId: string) => queryClient.invalidateQueries({ queryKey: notesQuery(insightId).queryKey })

export async function createNote(insightId: string, json: CreateNoteInput): Promise<void> {
  await answer<Note>(api.api.insights[':id'].notes.$post({ param: { id: insightId }, json }, once()))
  await changed(insightId)
}

export async function updateNote({ id, insightId }: Note, json: UpdateNoteInput): Promise<void> {
  await answer<Note>(api.api.notes[':id'].$put({ param: { id }, json }, once()))
  await changed(insightId)
}

export async function deleteNote({ id, insightId, version }: Note): Promise<void> {
  await answer<Note>(api.api.notes[':id'].$delete({ param: { id }, query: { version: String(version) } }, once()))
  await changed(insightId)
}
