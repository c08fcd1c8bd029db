import { itemsQuery } from '../../lib/queries/query-options'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Member } from '../../../src/shared/members'
import type { CreateNoteInput, Note, UpdateNoteInput } from '../../../src/shared/notes'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import { queryClient } from '../../lib/queries/query-client'

/** Notes and comments of an insight, the oldest first. */
export const notesQuery = (insightId: string) =>
  itemsQuery<Note>(['notes', insightId], (options) =>
    api.api.insights[':id'].notes.$get({ param: { id: insightId } }, options),
  )

const MENTION_OPTIONS_LIMIT = '8'
const withoutClients = (members: Member[]): Member[] => members.filter(({ role }) => role !== 'client')
/** Members by part of their name: whom an @ may name. */
export const mentionableMembersQuery = (q: string) =>
  queryOptions({
    ...itemsQuery<Member>(['members', 'named', q], (options) =>
      api.api.members.$get({ query: { limit: MENTION_OPTIONS_LIMIT, status: 'active', q: q || undefined } }, options),
    ),
    select: withoutClients,
    placeholderData: keepPreviousData,
  })

const invalidateNotes = (insightId: string) =>
  queryClient.invalidateQueries({ queryKey: notesQuery(insightId).queryKey })

export async function createNote(insightId: string, json: CreateNoteInput): Promise<void> {
  await readJson<Note>(api.api.insights[':id'].notes.$post({ param: { id: insightId }, json }, withIdempotencyKey()))
  await invalidateNotes(insightId)
}

export async function updateNote({ id, insightId }: Note, json: UpdateNoteInput): Promise<void> {
  await readJson<Note>(api.api.notes[':id'].$put({ param: { id }, json }, withIdempotencyKey()))
  await invalidateNotes(insightId)
}

export async function deleteNote({ id, insightId, version }: Note): Promise<void> {
  await readJson<Note>(
    api.api.notes[':id'].$delete({ param: { id }, query: { version: String(version) } }, withIdempotencyKey()),
  )
  await invalidateNotes(insightId)
}
