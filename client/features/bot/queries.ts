import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { apiFetch, withIdempotencyKey } from '../../lib/api'
import { queryClient } from '../../lib/queries/query-client'
import type {
  BotConversation,
  BotConversationDetail,
  BotFeedback,
  BotFeedbackItem,
  BotMessage,
  BotSettings,
  BotSuggestions,
} from '../../../src/shared/bot/conversations'
import type { BotTerm, CreateTermInput, VerifiedAnswer } from '../../../src/shared/bot/knowledge'
import type { ListPage } from '../../../src/shared/field-schemas'

const PAGE = '50'

/** The answer of a call of the bot. */
async function readFrom<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await apiFetch(`/api/bot${path}`, signal ? { signal } : {})
  return response.json()
}
async function write<T>(method: 'POST' | 'PUT' | 'DELETE', path: string, json?: unknown): Promise<T> {
  const body = json === undefined ? {} : { body: JSON.stringify(json) }
  const response = await apiFetch(`/api/bot${path}`, { method, ...withIdempotencyKey(), ...body })
  return response.json()
}
const refresh = (part: string): Promise<void> => queryClient.invalidateQueries({ queryKey: ['bot', part] })

export const conversationsQuery = ({ q, archived }: { q: string; archived: boolean }) =>
  infiniteQueryOptions({
    queryKey: ['bot', 'conversations', { q, archived }],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === '' ? {} : { cursor: pageParam }
      const search = new URLSearchParams({ limit: PAGE, archived: archived ? '1' : '0', q, ...cursor })
      return readFrom<ListPage<BotConversation>>(`/conversations?${search}`, signal)
    },
    getNextPageParam: ({ nextCursor }: ListPage<BotConversation>) => nextCursor ?? undefined,
  })

/** A conversation as who reads it may see it: a shared one is read again by their rights. */
export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: ['bot', 'conversation', id],
    queryFn: ({ signal }) => readFrom<BotConversationDetail>(`/shared/${id}`, signal),
  })

export const suggestionsQuery = () =>
  queryOptions({
    queryKey: ['bot', 'suggestions'],
    staleTime: 60_000,
    queryFn: ({ signal }) => readFrom<BotSuggestions>('/suggestions', signal),
  })

export async function createConversation(): Promise<BotConversation> {
  const made = await write<BotConversation>('POST', '/conversations', {})
  void refresh('conversations')
  return made
}

/** Puts a changed conversation in the place of the one that was read. */
function keep(changed: BotConversation): BotConversation {
  queryClient.setQueryData(conversationQuery(changed.id).queryKey, (before) => before && { ...before, ...changed })
  void refresh('conversations')
  return changed
}
export const updateConversation = async ({ id, title, archived, version }: BotConversation): Promise<BotConversation> =>
  keep(await write<BotConversation>('PUT', `/conversations/${id}`, { title, archived, version }))

export async function deleteConversation({ id, version }: BotConversation): Promise<void> {
  await write('DELETE', `/conversations/${id}?version=${version}`)
  queryClient.removeQueries({ queryKey: conversationQuery(id).queryKey })
  await refresh('conversations')
}

export const shareConversation = async ({ id, version }: BotConversation): Promise<BotConversation> =>
  keep(await write<BotConversation>('POST', `/conversations/${id}/share`, { version }))
export const unshareConversation = async ({ id, version }: BotConversation): Promise<BotConversation> =>
  keep(await write<BotConversation>('DELETE', `/conversations/${id}/share?version=${version}`))

/**
 * A further message, in the place of those that it takes back. What is being read of the conversation meanwhile may be from
 * before it, and is read again.
 */
export async function addMessage(conversationId: string, message: BotMessage, replaces?: string): Promise<void> {
  const { queryKey } = conversationQuery(conversationId)
  await queryClient.cancelQueries({ queryKey })
  const known = queryClient.setQueryData(queryKey, (before) => {
    if (!before) return before
    const items = [...before.items.filter(({ id }) => id !== replaces), message]
    return { ...before, items, messages: items.length }
  })
  if (!known) await queryClient.invalidateQueries({ queryKey })
  void refresh('conversations')
}

export async function sendFeedback(conversationId: string, messageId: string, feedback: BotFeedback): Promise<void> {
  const saved = await write<BotMessage>('POST', `/messages/${messageId}/feedback`, feedback)
  queryClient.setQueryData(
    conversationQuery(conversationId).queryKey,
    (before) => before && { ...before, items: before.items.map((item) => (item.id === saved.id ? saved : item)) },
  )
  await refresh('feedback')
}

export async function verifyMessage(messageId: string, question: string): Promise<VerifiedAnswer> {
  const made = await write<VerifiedAnswer>('POST', `/messages/${messageId}/verify`, { question })
  await refresh('verified')
  return made
}

export const termsQuery = () =>
  queryOptions({
    queryKey: ['bot', 'terms'],
    queryFn: async ({ signal }) => (await readFrom<ListPage<BotTerm>>('/glossary', signal)).items,
  })
export async function saveTerm(input: CreateTermInput, term: BotTerm | null): Promise<void> {
  if (term) await write<BotTerm>('PUT', `/glossary/${term.id}`, { ...input, version: term.version })
  else await write<BotTerm>('POST', '/glossary', input)
  await refresh('terms')
}
export async function deleteTerm({ id, version }: BotTerm): Promise<void> {
  await write('DELETE', `/glossary/${id}?version=${version}`)
  await refresh('terms')
}

export const verifiedQuery = () =>
  queryOptions({
    queryKey: ['bot', 'verified'],
    queryFn: async ({ signal }) => (await readFrom<ListPage<VerifiedAnswer>>('/verified-answers', signal)).items,
  })
/** Vouches again for what it means now. */
export async function verifyAgain({ id, question, plan, viz, shown, version }: VerifiedAnswer): Promise<void> {
  const content = { question, plan, viz, version, ...(shown ? { shown } : {}) }
  await write<VerifiedAnswer>('PUT', `/verified-answers/${id}`, content)
  await refresh('verified')
}
export async function deleteVerified({ id, version }: VerifiedAnswer): Promise<void> {
  await write('DELETE', `/verified-answers/${id}?version=${version}`)
  await refresh('verified')
}

export const feedbackQuery = () =>
  queryOptions({
    queryKey: ['bot', 'feedback'],
    queryFn: async ({ signal }) => (await readFrom<ListPage<BotFeedbackItem>>('/feedback', signal)).items,
  })

export const settingsQuery = () =>
  queryOptions({ queryKey: ['bot', 'settings'], queryFn: ({ signal }) => readFrom<BotSettings>('/settings', signal) })
export async function saveSettings(settings: BotSettings): Promise<void> {
  queryClient.setQueryData(settingsQuery().queryKey, await write<BotSettings>('PUT', '/settings', settings))
}
