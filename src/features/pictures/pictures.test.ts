import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../app'
import { stripImageMetadata } from '../../lib/image-metadata'
import { deleteUnreferencedPictures } from '../../http/picture-upload'
import { AVATAR_MAX_BYTES } from '../../shared/account'
import { PICTURE_MAX_SIDE } from '../../shared/pictures'
import { depsAt } from '../../../test/worker/deps'
import { callApp, expiredTrial, signedIn, visitor, type Caller } from '../../../test/worker/factories'
import { aJpeg, aLosslessWebp, aPng, aWebp } from '../../../test/worker/pictures'
import type { PageData } from '../../shared/session'
import type { AvatarChanged } from './service'

const HOUR_MS = 60 * 60 * 1000
const AVATAR = '/files/profile/avatar'
const BINARY = { 'content-type': 'application/octet-stream' }
const put = (who: Caller, bytes: BodyInit, headers: Record<string, string> = BINARY) =>
  who.fetch(AVATAR, { method: 'PUT', headers, body: bytes })

/** The path of the picture after it was sent. */
async function sent(who: Caller, bytes: BodyInit): Promise<string> {
  const answer = await put(who, bytes)
  expect(answer.status).toBe(200)
  const { avatar } = await answer.json<AvatarChanged>()
  return avatar ?? ''
}
const objects = async (): Promise<string[]> => {
  const { objects: found } = await env.FILES.list({ prefix: 'pictures/' })
  return found.map(({ key }) => `/files/${key}`)
}
const refusal = async (answer: Response) => ({ status: answer.status, ...(await answer.json<object>()) })

describe('a person’s picture', () => {
  it.each([
    ['PNG', 'image/png', aPng()],
    ['JPEG', 'image/jpeg', aJpeg()],
    ['WebP', 'image/webp', aWebp()],
    ['lossless WebP', 'image/webp', aLosslessWebp()],
  ])('is a %s, stands in the page data and is shown as what it is', async (_name, type, bytes) => {
    const me = await signedIn()
    const path = await sent(me, bytes)
    expect(path).toMatch(/^\/files\/pictures\/[0-9a-f]{40}$/)
    expect((await (await me.fetch('/api/session')).json<PageData>()).user?.avatar).toBe(path)
    const shown = await me.fetch(path)
    expect(shown.status).toBe(200)
    expect(shown.headers.get('content-type')).toBe(type)
    expect(await shown.bytes()).toEqual(stripImageMetadata(bytes))
  })

  it('loses where and with what it was taken', async () => {
    const me = await signedIn()
    const path = await sent(me, aJpeg(40, 30, 'taken at 59.3293N 18.0686E'))
    const shown = await (await me.fetch(path)).text()
    expect(shown).toContain('JFIF')
    expect(shown).not.toContain('59.3293N')
  })

  it('is served as a document that may do nothing, to whoever knows its key (XSS-2)', async () => {
    const me = await signedIn()
    const path = await sent(me, aPng(40, 30, '<script>alert(1)</script>'))
    const shown = await callApp(createApp(), path)
    expect(shown.status).toBe(200)
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=31536000, immutable',
    })
  })

  it('is found by its key only, never by another address of the store', async () => {
    const me = await signedIn()
    const key = (await sent(me, aPng())).split('/').at(-1) ?? ''
    await env.FILES.put('uploads/secret', 'rows')
    for (const wrong of [key.toUpperCase(), key.slice(1), `${key}0`, '0'.repeat(40), '..%2fuploads%2fsecret', '%00'])
      expect((await me.fetch(`/files/pictures/${wrong}`)).status).toBe(404)
  })

  it.each(['image/png', 'image/svg+xml', 'text/html', 'application/json', 'multipart/form-data; boundary=x'])(
    'is known by its bytes, whatever is said of it: %s (XSS-2)',
    async (type) => {
      const me = await signedIn()
      const html = '<!doctype html><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
      expect(await refusal(await put(me, html, { 'content-type': type }))).toMatchObject({
        status: 422,
        code: 'file_unreadable',
        reason: 'unsupported',
      })
      const answer = await put(me, aPng(), { 'content-type': type })
      const { avatar } = await answer.json<AvatarChanged>()
      expect((await me.fetch(avatar ?? '')).headers.get('content-type')).toBe('image/png')
    },
  )

  it('is refused when empty, damaged, or of two kinds at once, and nothing is stored', async () => {
    const me = await signedIn()
    const before = await objects()
    const polyglot = new Blob([aPng(), '<script>alert(1)</script>'])
    expect(await refusal(await put(me, new Uint8Array()))).toMatchObject({ status: 422, reason: 'empty' })
    expect(await refusal(await put(me, aPng().subarray(0, 40)))).toMatchObject({ status: 422, reason: 'broken' })
    expect(await refusal(await put(me, aJpeg().subarray(0, -2)))).toMatchObject({ status: 422, reason: 'broken' })
    expect(await refusal(await put(me, polyglot))).toMatchObject({ status: 422, reason: 'broken' })
    expect(await objects()).toEqual(before)
  })

  it('may have 2 MB and 4096 pixels a side, and not one more', async () => {
    const me = await signedIn()
    const padded = (size: number) => {
      const bytes = new Uint8Array(size)
      bytes.set(aJpeg())
      return bytes
    }
    expect((await put(me, padded(AVATAR_MAX_BYTES))).status).toBe(200)
    expect(await refusal(await put(me, padded(AVATAR_MAX_BYTES + 1)))).toMatchObject({
      status: 413,
      code: 'too_large',
      what: 'file',
      max: AVATAR_MAX_BYTES,
    })
    expect((await put(me, aPng(PICTURE_MAX_SIDE, PICTURE_MAX_SIDE))).status).toBe(200)
    for (const wide of [aPng(PICTURE_MAX_SIDE + 1, 1), aJpeg(1, PICTURE_MAX_SIDE + 1), aWebp(PICTURE_MAX_SIDE + 1, 9)])
      expect(await refusal(await put(me, wide))).toMatchObject({ status: 413, max: PICTURE_MAX_SIDE })
  })

  it('goes when another takes its place or it is removed, also after the trial', async () => {
    const me = await expiredTrial()
    const first = await sent(me, aPng())
    const second = await sent(me, aWebp())
    expect((await me.fetch(first)).status).toBe(404)
    expect((await me.fetch(second)).status).toBe(200)
    const removed = await me.fetch(AVATAR, { method: 'DELETE' })
    expect(await removed.json()).toEqual({ avatar: null })
    expect((await me.fetch(second)).status).toBe(404)
    expect((await (await me.fetch('/api/session')).json<PageData>()).user?.avatar).toBeNull()
  })

  it('leaves one object behind when many are sent at once', async () => {
    const me = await signedIn()
    const before = await objects()
    await Promise.all(Array.from({ length: 6 }, () => put(me, aPng())))
    await deleteUnreferencedPictures(depsAt(Date.now()))
    const left = (await objects()).filter((path) => !before.includes(path))
    expect(left).toEqual([(await (await me.fetch('/api/session')).json<PageData>()).user?.avatar])
  })

  it('is nobody else’s to change, and takes a session', async () => {
    const [me, other, anon] = [await signedIn(), await signedIn(), await visitor()]
    const path = await sent(me, aPng())
    expect((await put(anon, aPng())).status).toBe(401)
    await sent(other, aWebp())
    await other.fetch(AVATAR, { method: 'DELETE' })
    expect((await me.fetch(path)).status).toBe(200)
  })

  it('is written into the log of changes, with what it was before', async () => {
    const me = await signedIn()
    await sent(me, aPng())
    await me.fetch(AVATAR, { method: 'DELETE' })
    const { results } = await env.DB.prepare('SELECT action FROM audit WHERE actor_id = ? ORDER BY at, rowid')
      .bind(me.userId)
      .all()
    expect(results).toEqual([{ action: 'avatar.update' }, { action: 'avatar.remove' }])
  })
})

describe('pictures that no row points to', () => {
  it('go an hour after they were stored, and no other does', async () => {
    const me = await signedIn()
    const kept = await sent(me, aPng())
    const now = Date.now()
    const stray = 'ab'.repeat(20)
    await env.FILES.put(`pictures/${stray}`, aPng())
    const note = env.DB.prepare('INSERT INTO stray_pictures (key, due_at) VALUES (?, ?)')
    await note.bind(stray, now + HOUR_MS).run()
    await deleteUnreferencedPictures(depsAt(now + HOUR_MS - 1))
    expect(await objects()).toContain(`/files/pictures/${stray}`)
    await deleteUnreferencedPictures(depsAt(now + HOUR_MS))
    expect(await objects()).not.toContain(`/files/pictures/${stray}`)
    await deleteUnreferencedPictures(depsAt(now + 1000 * HOUR_MS))
    expect(await objects()).toContain(kept)
  })

  it.each([
    ['a workspace changes its logo', 'UPDATE workspaces SET logo_key = NULL WHERE id = ?'],
    ['a workspace is erased', 'DELETE FROM workspaces WHERE id = ?'],
  ])('are found when %s', async (_name, statement) => {
    const id = `ws_${crypto.randomUUID()}`
    const key = crypto.randomUUID().replaceAll('-', '').padEnd(40, '0')
    await env.FILES.put(`pictures/${key}`, aPng())
    await env.DB.prepare(
      `INSERT INTO workspaces (id, name, country, currency, number_locale, time_zone, fiscal_year_start, week_start, created_at, logo_key)
       VALUES (?, 'W', 'SE', 'SEK', 'sv-SE', 'UTC', 1, 'monday', 1, ?)`,
    )
      .bind(id, key)
      .run()
    await deleteUnreferencedPictures(depsAt(Date.now()))
    expect(await objects()).toContain(`/files/pictures/${key}`)
    await env.DB.prepare(statement).bind(id).run()
    await deleteUnreferencedPictures(depsAt(Date.now()))
    expect(await objects()).not.toContain(`/files/pictures/${key}`)
  })
})
