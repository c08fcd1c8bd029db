import type { z } from 'zod'
import { noteStore } from './store'
import type { StoredNote } from './store'
import type { Actor, Membership } from '../../access/actor'
import { standingMember } from '../../access/standing'
import type { Standing } from '../../access/standing'
import { auditOfKind } from '../../db/audit-of'
import { commit } from '../../db/commit'
import type { OutboxEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import type { Asking } from '../../http/asking'
import { mailEntry } from '../../mail/order'
import { ProductError } from '../../shared/errors'
import { NOTES_MAX } from '../../shared/notes'
import type { createNoteSchema, Note, updateNoteSchema } from '../../shared/notes'
import { mayRole } from '../../shared/permissions'
import { picturePath } from '../../shared/pictures'

export interface Ask extends Asking {
  deps: Deps
  actor: Pick<Actor, 'userId' | 'name' | 'avatarKey'>
  membership: Pick<Membership, 'role' | 'workspaceName'>
}

const shownTo = ({ actor, membership }: Pick<Ask, 'actor' | 'membership'>, note: StoredNote): Note => {
  const own = note.authorId === actor.userId
  return { ...note, mayEdit: own, mayDelete: own || mayRole(membership.role, 'delete:comment') }
}

/** Notes and comments of an insight, the oldest first. */
export async function listNotes(ask: Ask, insightId: string): Promise<Note[]> {
  const store = noteStore(ask.deps.db, ask.scope)
  const [name, notes] = await Promise.all([store.insightName(insightId), store.list(insightId)])
  if (name === null) throw new ProductError('not_found')
  return notes.map((note) => shownTo(ask, note))
}

/**
 * Says something of an insight, or of one unit of its time axis. Members whom the text names with an @ are told by mail.
 * @throws ProductError `limit_reached`; `invalid_input` when somebody named may not see insights here
 */
export async function createNote(
  ask: Ask,
  { insightId, input }: { insightId: string; input: z.output<typeof createNoteSchema> },
): Promise<Note> {
  const { deps, scope, actor } = ask
  const store = noteStore(deps.db, scope)
  const insightName = await store.insightName(insightId)
  if (insightName === null) throw new ProductError('not_found')
  const people = await mentioned(ask, input)
  const now = deps.clock.now()
  const note: StoredNote = {
    ...{ id: deps.ids.next('note'), insightId, bucket: input.bucket, body: input.body, mentions: named(people) },
    ...{ authorId: actor.userId, authorName: actor.name, authorAvatar: picturePath(actor.avatarKey) },
    ...{ version: 1, createdAt: new Date(now).toISOString(), editedAt: null },
  }
  const made = shownTo(ask, note)
  await commit(deps, {
    change: [store.insert(note, now)],
    audit: [auditOf(ask, { action: 'note.create', id: note.id, after: note })],
    outbox: mails(ask, { note, insightName, people }),
    reply: ask.reply(made),
    expect: { onMissed: async () => insertMissed(await store.insightName(insightId)) },
  })
  return made
}

const insertMissed = (insightName: string | null): ProductError =>
  insightName === null
    ? new ProductError('not_found')
    : new ProductError(
        'limit_reached',
        { limit: 'notes', used: NOTES_MAX, max: NOTES_MAX },
        `An insight holds up to ${NOTES_MAX} notes and comments. Delete some that are not needed.`,
      )

/** Only one's own. @throws ProductError `forbidden`, `version_conflict` with the stored note as `current` */
export async function updateNote(
  ask: Ask,
  { id, input }: { id: string; input: z.output<typeof updateNoteSchema> },
): Promise<Note> {
  const { deps, scope } = ask
  const store = noteStore(deps.db, scope)
  const before = await storedNote(ask, id)
  if (!shownTo(ask, before).mayEdit) throw new ProductError('forbidden', { permission: 'create:comment' })
  const [people, insightName] = await Promise.all([mentioned(ask, input), store.insightName(before.insightId)])
  const now = deps.clock.now()
  const content = { body: input.body, mentions: named(people) }
  const next: StoredNote = {
    ...before,
    ...content,
    version: input.version + 1,
    editedAt: new Date(now).toISOString(),
  }
  const saved = shownTo(ask, next)
  await commit(deps, {
    change: [store.update(next, { version: input.version, now })],
    audit: [auditOf(ask, { action: 'note.update', id, before, after: next })],
    outbox: mails(ask, { note: next, insightName: insightName ?? '', people }),
    reply: ask.reply(saved),
    expect: { onMissed: () => conflict(ask, id) },
  })
  return saved
}

/** One's own, and any for administrators. @throws ProductError `forbidden`, `version_conflict` */
export async function deleteNote(ask: Ask, at: { id: string; version: number }): Promise<Note> {
  const { deps, scope } = ask
  const before = shownTo(ask, await storedNote(ask, at.id))
  if (!before.mayDelete) throw new ProductError('forbidden', { permission: 'delete:comment' })
  const any = mayRole(ask.membership.role, 'delete:comment')
  await commit(deps, {
    change: [noteStore(deps.db, scope).remove(at.id, { version: at.version, any })],
    audit: [auditOf(ask, { action: 'note.delete', id: at.id, before })],
    reply: ask.reply(before),
    expect: { onMissed: () => conflict(ask, at.id) },
  })
  return before
}

async function storedNote({ deps, scope }: Ask, id: string): Promise<StoredNote> {
  const note = await noteStore(deps.db, scope).get(id)
  if (!note) throw new ProductError('not_found')
  return note
}

const conflict = async (ask: Ask, id: string): Promise<ProductError> =>
  new ProductError('version_conflict', { current: shownTo(ask, await storedNote(ask, id)) })

/**
 * Whoever the text names. An id whose name the text does not hold names nobody.
 * @throws ProductError `invalid_input` for one who may not see insights of this workspace
 */
async function mentioned(
  { deps, scope }: Ask,
  { body, mentions }: { body: string; mentions: readonly string[] },
): Promise<Standing[]> {
  const found = await Promise.all(
    [...new Set(mentions)].map((userId) => standingMember(deps, { workspaceId: scope.workspaceId, userId })),
  )
  const people = found.map((person) => {
    if (person && mayRole(person.role, 'view:insight')) return person
    throw new ProductError('invalid_input', { fields: { mentions: 'Somebody named here may not see this insight.' } })
  })
  return people.filter(({ name }) => body.includes(`@${name}`))
}

const named = (people: readonly Standing[]): Note['mentions'] => people.map(({ userId, name }) => ({ userId, name }))

/** One mail for each who is named, once for a note however often it is changed; none to oneself. */
function mails(
  { scope, actor, membership }: Ask,
  { note, insightName, people }: { note: StoredNote; insightName: string; people: readonly Standing[] },
): OutboxEntry[] {
  const { insightId, body: text } = note
  return people.flatMap(({ userId, email }) => {
    if (email === null || userId === actor.userId) return []
    const about = { workspace: membership.workspaceName, person: actor.name, insight: insightName, insightId, text }
    const key = `mentioned:${note.id}:${userId}`
    return [mailEntry({ to: email, template: 'mentioned', ...about }, { key, workspaceId: scope.workspaceId })]
  })
}

const auditOf = auditOfKind('note')
