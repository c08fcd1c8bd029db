import type { z } from 'zod'
import { noteStore, type StoredNote } from './store'
import type { MemberContext } from '../../identity/member-context-store'
import { mentionMails, resolveMentions, toMentions } from '../../identity/mentions'
import { auditEntryFactory, commit, type OutboxEntry } from '../../db/commit'
import type { RequestContext } from '../../http/request-context'
import { toIso } from '../../lib/iso'
import { ProductError } from '../../shared/errors'
import { NOTES_MAX, type createNoteSchema, type Note, type updateNoteSchema } from '../../shared/notes'
import { roleMay } from '../../shared/permissions'
import { picturePath } from '../../shared/pictures'

const toVisibleNote = ({ actor, membership }: Pick<RequestContext, 'actor' | 'membership'>, note: StoredNote): Note => {
  const own = note.authorId === actor.userId
  return { ...note, mayEdit: own, mayDelete: own || roleMay(membership.role, 'delete:comment') }
}

/** Notes and comments of an insight, the oldest first. */
export async function listNotes(context: RequestContext, insightId: string): Promise<Note[]> {
  const store = noteStore(context.deps.db, context.scope)
  const [name, notes] = await Promise.all([store.insightName(insightId), store.list(insightId)])
  if (name === null) throw new ProductError('not_found')
  return notes.map((note) => toVisibleNote(context, note))
}

/**
 * Says something of an insight, or of one unit of its time axis. Members whom the text names with an @ are told by mail.
 * @throws ProductError `limit_reached`; `invalid_input` when somebody named may not see insights here
 */
export async function createNote(
  context: RequestContext,
  { insightId, input }: { insightId: string; input: z.output<typeof createNoteSchema> },
): Promise<Note> {
  const { deps, scope, actor } = context
  const store = noteStore(deps.db, scope)
  const insightName = await store.insightName(insightId)
  if (insightName === null) throw new ProductError('not_found')
  const people = await noteMentions(context, insightId, input)
  const now = deps.clock.now()
  const note: StoredNote = {
    id: deps.ids.next('note'),
    insightId,
    bucket: input.bucket,
    body: input.body,
    mentions: toMentions(people),
    authorId: actor.userId,
    authorName: actor.name,
    authorAvatar: picturePath(actor.avatarKey),
    version: 1,
    createdAt: toIso(now),
    editedAt: null,
  }
  const made = toVisibleNote(context, note)
  await commit(deps, {
    change: [store.insert(note, now)],
    audit: [auditOf(context, { action: 'note.create', id: note.id, after: { ...note, name: insightName } })],
    outbox: noteMails(context, { note, insightName, people }),
    reply: context.reply(made),
    expect: { onMissed: async () => insertConflict(await store.insightName(insightId)) },
  })
  return made
}

const insertConflict = (insightName: string | null): ProductError =>
  insightName === null
    ? new ProductError('not_found')
    : new ProductError(
        'limit_reached',
        { limit: 'notes', used: NOTES_MAX, max: NOTES_MAX },
        `An insight holds up to ${NOTES_MAX} notes and comments. Delete some that are not needed.`,
      )

/** Only one's own. @throws ProductError `forbidden`, `version_conflict` with the stored note as `current` */
export async function updateNote(
  context: RequestContext,
  { id, input }: { id: string; input: z.output<typeof updateNoteSchema> },
): Promise<Note> {
  const { deps, scope } = context
  const store = noteStore(deps.db, scope)
  const before = await requireNote(context, id)
  if (!toVisibleNote(context, before).mayEdit) throw new ProductError('forbidden', { permission: 'create:comment' })
  const [people, insightName] = await Promise.all([
    noteMentions(context, before.insightId, input),
    store.insightName(before.insightId),
  ])
  const now = deps.clock.now()
  const next: StoredNote = {
    ...before,
    body: input.body,
    mentions: toMentions(people),
    version: input.version + 1,
    editedAt: toIso(now),
  }
  const saved = toVisibleNote(context, next)
  const named = (note: StoredNote) => ({ ...note, name: insightName })
  await commit(deps, {
    change: [store.update(next, { version: input.version, now })],
    audit: [auditOf(context, { action: 'note.update', id, before: named(before), after: named(next) })],
    outbox: noteMails(context, { note: next, insightName: insightName ?? '', people }),
    reply: context.reply(saved),
    expect: { onMissed: () => versionConflict(context, id) },
  })
  return saved
}

/** One's own, and any for administrators. @throws ProductError `forbidden`, `version_conflict` */
export async function deleteNote(context: RequestContext, at: { id: string; version: number }): Promise<Note> {
  const { deps, scope } = context
  const before = toVisibleNote(context, await requireNote(context, at.id))
  if (!before.mayDelete) throw new ProductError('forbidden', { permission: 'delete:comment' })
  const name = await noteStore(deps.db, scope).insightName(before.insightId)
  const any = roleMay(context.membership.role, 'delete:comment')
  await commit(deps, {
    change: [noteStore(deps.db, scope).remove(at.id, { version: at.version, any })],
    audit: [auditOf(context, { action: 'note.delete', id: at.id, before: { ...before, name } })],
    reply: context.reply(before),
    expect: { onMissed: () => versionConflict(context, at.id) },
  })
  return before
}

async function requireNote({ deps, scope }: RequestContext, id: string): Promise<StoredNote> {
  const note = await noteStore(deps.db, scope).get(id)
  if (!note) throw new ProductError('not_found')
  return note
}

const versionConflict = async (context: RequestContext, id: string): Promise<ProductError> =>
  new ProductError('version_conflict', { current: toVisibleNote(context, await requireNote(context, id)) })

/** Whoever the text names. @throws ProductError `invalid_input` for one who may not see the insight, `forbidden` */
const noteMentions = (
  { deps, scope, actor }: RequestContext,
  insightId: string,
  text: { body: string; mentions: readonly string[] },
): Promise<MemberContext[]> =>
  resolveMentions({ deps, actor, workspaceId: scope.workspaceId, ...text }, async (person) => {
    const mayView = person && roleMay(person.role, 'view:insight')
    if (mayView && (await noteStore(deps.db, person.scope).insightName(insightId)) !== null) return null
    return 'Someone mentioned can’t view this insight.'
  })

const noteMails = (
  { scope, actor, membership }: RequestContext,
  { note, insightName, people }: { note: StoredNote; insightName: string; people: readonly MemberContext[] },
): OutboxEntry[] => {
  const { insightId, body: text } = note
  const about = { workspace: membership.workspaceName, person: actor.name, insight: insightName, insightId, text }
  const of = { actor, workspaceId: scope.workspaceId, textId: note.id }
  return mentionMails(people, of, (to) => ({ to, template: 'mentioned', ...about }))
}

const auditOf = auditEntryFactory('note')
