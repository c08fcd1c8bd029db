import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { aRowOfEach } from '../../../test/worker/resources'
import { otherWorkspace, signedIn, type SignedIn } from '../../../test/worker/factories'
import { NOTES_MAX, type Note } from '../../shared/notes'
import type { ListPage } from '../../shared/field-schemas'
import { systemIds } from '../../deps'

type Answered = Note & { code: string; fields?: Record<string, string> }

async function scene() {
  const owner = await signedIn()
  const { insights: insightId = '' } = await aRowOfEach(owner.workspaceId, owner.userId)
  await env.DB.prepare('DELETE FROM notes WHERE insight_id = ?').bind(insightId).run()
  const member = (role: 'viewer' | 'analyst' | 'client') => signedIn({ workspaceId: owner.workspaceId, role })
  const list = `/api/insights/${insightId}/notes`
  const write = async (json: object, who: SignedIn = owner) =>
    (await who.fetch(list, { method: 'POST', json })).json<Answered>()
  const change = async (id: string, json: object, who: SignedIn) =>
    (await who.fetch(`/api/notes/${id}`, { method: 'PUT', json })).json<Answered>()
  const remove = async ({ id, version }: Note, who: SignedIn) =>
    (await who.fetch(`/api/notes/${id}?version=${version}`, { method: 'DELETE' })).json<Answered>()
  const all = async (who: SignedIn = owner) => (await (await who.fetch(list)).json<ListPage<Note>>()).items
  return { owner, insightId, member, list, write, change, remove, all }
}
/** Gives a person a name and an address. */
const called = (userId: string, name: string) =>
  env.DB.prepare('UPDATE users SET name = ?, email = ? WHERE id = ?').bind(name, `${userId}@example.com`, userId).run()
const mailsOf = async (noteId: string) =>
  (
    await env.DB.prepare("SELECT payload FROM outbox WHERE kind = 'mail' AND key LIKE ?")
      .bind(`mail:mentioned:${noteId}:%`)
      .all<{ payload: string }>()
  ).results

describe('notes and comments', () => {
  it('stand on a unit of the time axis or for the whole insight, in the order they were written', async () => {
    const { write, all, member } = await scene()
    const bucket = { start: '2026-03-01', grain: 'month' }
    await write({ body: '  Price rise\r\nin March\u202e ', bucket })
    await write({ body: 'Agreed.' }, await member('viewer'))
    expect((await all()).map((note) => [note.body, note.bucket, note.mayEdit, note.mayDelete])).toEqual([
      ['Price rise\nin March', bucket, true, true],
      ['Agreed.', null, false, true],
    ])
  })

  it('refuses nothing, too much and days that are none', async () => {
    const { write } = await scene()
    const bad = [{ body: ' \n ' }, { body: 'x'.repeat(2001) }, { body: 'x', bucket: { start: 'May', grain: 'month' } }]
    for (const json of bad) expect((await write(json)).code).toBe('invalid_input')
    expect((await write({ body: 'x'.repeat(2000) })).version).toBe(1)
  })

  it('are changed by their author alone, and deleted by the author or an administrator', async () => {
    const { owner, write, change, remove, member, all } = await scene()
    const [author, other] = [await member('viewer'), await member('analyst')]
    const note = await write({ body: 'First' }, author)
    expect((await change(note.id, { body: 'Mine', version: 1 }, owner)).code).toBe('forbidden')
    expect((await remove(note, other)).code).toBe('forbidden')
    const changed = await change(note.id, { body: 'Second', version: 1 }, author)
    expect(changed).toMatchObject({ body: 'Second', version: 2, editedAt: expect.any(String) })
    expect((await change(note.id, { body: 'Third', version: 1 }, author)).code).toBe('version_conflict')
    expect((await remove(note, author)).code).toBe('version_conflict')
    expect((await remove(changed, owner)).id).toBe(note.id)
    expect(await all()).toEqual([])
  })

  it('are unknown to strangers, and with a deleted insight', async () => {
    const { owner, insightId, list, write, change } = await scene()
    const note = await write({ body: 'Here' })
    const stranger = await otherWorkspace()
    expect((await stranger.fetch(list)).status).toBe(404)
    expect((await change(note.id, { body: 'x', version: 1 }, stranger)).code).toBe('not_found')
    await env.DB.prepare('UPDATE insights SET deleted_at = 1 WHERE id = ?').bind(insightId).run()
    expect((await owner.fetch(list)).status).toBe(404)
    expect((await write({ body: 'x' })).code).toBe('not_found')
    expect((await change(note.id, { body: 'x', version: 1 }, owner)).code).toBe('not_found')
  })

  it('stop at the limit of an insight', async () => {
    const { owner, insightId, write } = await scene()
    const row = env.DB.prepare(
      "INSERT INTO notes (id, workspace_id, insight_id, body, author_id, created_at) VALUES (?, ?, ?, 'x', ?, 1)",
    )
    await env.DB.batch(
      Array.from({ length: NOTES_MAX }, () =>
        row.bind(systemIds.next('note'), owner.workspaceId, insightId, owner.userId),
      ),
    )
    expect(await write({ body: 'One more' })).toMatchObject({ code: 'limit_reached', max: NOTES_MAX })
  })
})

describe('naming a member with an @', () => {
  it('sends one mail to each, however often the note is changed, and none to oneself', async () => {
    const { owner, write, change, member, insightId } = await scene()
    const anna = await member('viewer')
    await called(anna.userId, 'Anna Berg')
    await called(owner.userId, 'Otto')
    const mentions = [anna.userId, owner.userId, anna.userId]
    const note = await write({ body: '@Anna Berg and @Otto: look', mentions })
    expect(note.mentions).toEqual([
      { userId: anna.userId, name: 'Anna Berg' },
      { userId: owner.userId, name: 'Otto' },
    ])
    await change(note.id, { body: '@Anna Berg look again', mentions, version: 1 }, owner)
    const mails = (await mailsOf(note.id)).map(({ payload }): unknown => JSON.parse(payload))
    expect(mails).toMatchObject([{ to: `${anna.userId}@example.com`, template: 'mentioned', insightId }])
  })

  it('sends none to whoever turned them off', async () => {
    const { write, member } = await scene()
    const anna = await member('viewer')
    await called(anna.userId, 'Anna Berg')
    await env.DB.prepare('UPDATE users SET notifications = ? WHERE id = ?')
      .bind('{"mentions":false}', anna.userId)
      .run()
    const note = await write({ body: '@Anna Berg: look', mentions: [anna.userId] })
    expect(await mailsOf(note.id)).toEqual([])
  })

  it('tells nobody whom the text does not name', async () => {
    const { write, member } = await scene()
    const anna = await member('viewer')
    await called(anna.userId, 'Anna Berg')
    const note = await write({ body: 'Nobody here', mentions: [anna.userId] })
    expect([note.mentions, await mailsOf(note.id)]).toEqual([[], []])
  })

  it('refuses strangers, suspended members and those who see no insights', async () => {
    const { owner, write, member, all } = await scene()
    const [stranger, client, suspended] = [await otherWorkspace(), await member('client'), await member('viewer')]
    await env.DB.prepare("UPDATE members SET status = 'suspended' WHERE user_id = ?").bind(suspended.userId).run()
    for (const { userId } of [stranger, client, suspended])
      expect((await write({ body: '@Test Person', mentions: [userId] })).fields).toHaveProperty('mentions')
    expect(await all(owner)).toEqual([])
  })
})
