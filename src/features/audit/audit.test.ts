import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../app'
import { AUDIT_EXPORT_MAX } from './service'
import { signedIn, type Caller, type SignedIn } from '../../../test/worker/factories'
import { systemIds } from '../../deps'
import type { AuditItem } from '../../shared/audit'
import type { ListPage } from '../../shared/field-schemas'

const app = createApp()
let me: SignedIn
beforeEach(async () => {
  me = await signedIn({ app })
})

interface Line {
  at: number
  action?: string
  actorId?: string | null
  entityId?: string
  workspaceId?: string | null
}
const write = async (...lines: Line[]): Promise<string[]> => {
  const ids = lines.map(() => systemIds.next('audit'))
  const statements = lines.map((line, i) =>
    env.DB.prepare(
      `INSERT INTO audit (id, workspace_id, actor_id, action, entity, entity_id, before_hash, after_hash, country, at)
       VALUES (?, ?, ?, ?, 'source', ?, 'aa', NULL, 'SE', ?)`,
    ).bind(
      ids[i] ?? '',
      ...[line.workspaceId === undefined ? me.workspaceId : line.workspaceId],
      ...[line.actorId === undefined ? me.userId : line.actorId],
      ...[line.action ?? 'source.update', line.entityId ?? 'src_x', line.at],
    ),
  )
  if (statements.length > 0) await env.DB.batch(statements)
  return ids
}
const page = async (query: string, who: Caller = me): Promise<ListPage<AuditItem>> => {
  const answer = await who.fetch(`/api/audit?${query}`)
  expect(answer.status).toBe(200)
  return answer.json<ListPage<AuditItem>>()
}
const found = async (query: string) => (await page(query)).items.map(({ id }) => id)

describe('the audit log', () => {
  it('says who did what to which thing and when, newest first', async () => {
    await write(
      { at: 1_000, action: 'source.create' },
      { at: 2_000 },
      { at: 3_000, actorId: null, action: 'old.thing' },
    )
    const { items, nextCursor } = await page('')
    expect(nextCursor).toBeNull()
    expect(items.map(({ at, actor, words }) => [at, actor?.userId, words])).toEqual([
      ['1970-01-01T00:00:03.000Z', undefined, 'did “old.thing”'],
      ['1970-01-01T00:00:02.000Z', me.userId, 'renamed a data source'],
      ['1970-01-01T00:00:01.000Z', me.userId, 'added a data source'],
    ])
    expect(items[1]).toMatchObject({
      actor: { name: 'Test Person' },
      action: 'source.update',
      entity: 'source',
      entityId: 'src_x',
      beforeHash: 'aa',
      afterHash: null,
      country: 'SE',
    })
  })

  it('holds nothing of another workspace and nothing that belongs to none, whoever did it', async () => {
    const other = await signedIn({ app })
    await write({ at: 1, workspaceId: other.workspaceId }, { at: 2, workspaceId: null, action: 'session.demo' })
    expect((await page('')).items).toEqual([])
  })

  it('is for owners and admins', async () => {
    const status = async (role: 'admin' | 'analyst' | 'viewer' | 'client', path: string) =>
      (await (await signedIn({ app, workspaceId: me.workspaceId, role })).fetch(path)).status
    for (const path of ['/api/audit', '/files/audit']) {
      expect(await status('admin', path)).toBe(200)
      for (const role of ['analyst', 'viewer', 'client'] as const) expect(await status(role, path)).toBe(403)
    }
  })

  it('is filtered by person, by what an action begins with, and by thing', async () => {
    const ann = await signedIn({ app, workspaceId: me.workspaceId, role: 'analyst' })
    const [own, hers, made] = await write(
      { at: 1 },
      { at: 2, actorId: ann.userId },
      { at: 3, action: 'source.create', entityId: 'src_y' },
    )
    await write({ at: 4, action: 'sources.other', actorId: null })
    expect(await found(`actor=${ann.userId}`)).toEqual([hers])
    expect(await found('action=source.')).toEqual([made, hers, own])
    expect(await found('action=source.update&entityId=src_x')).toEqual([hers, own])
    expect(await found('action=%25')).toEqual([])
    expect(await found('entityId=src_y')).toEqual([made])
  })

  it('is filtered by days of the workspace’s clock, the day that loses an hour too', async () => {
    // Stockholm: midnight is 23:00 UTC before, and 22:00 UTC after, the night of 28–29 March 2026.
    const at = (text: string) => ({ at: Date.parse(text) })
    const [before, first, last, after] = await write(
      at('2026-03-28T22:59:59.999Z'),
      at('2026-03-28T23:00:00.000Z'),
      at('2026-03-29T21:59:59.999Z'),
      at('2026-03-29T22:00:00.000Z'),
    )
    expect(await found('from=2026-03-29&to=2026-03-29')).toEqual([last, first])
    expect(await found('from=2026-03-29')).toEqual([after, last, first])
    expect(await found('to=2026-03-28')).toEqual([before])
  })

  it('refuses a cursor and a day it does not know', async () => {
    for (const query of ['cursor=1.x', 'cursor=1', 'from=2026-02-30', 'from=yesterday', 'order=1'])
      expect((await me.fetch(`/api/audit?${query}`)).status).toBe(422)
  })

  it('gives each line that was there exactly once, though others are written while it is read', async () => {
    const instant = fc.integer({ min: 1, max: 6 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(instant, { maxLength: 25 }),
        fc.array(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }), { maxLength: 8 }),
        fc.integer({ min: 1, max: 7 }),
        async (instants, later, limit) => {
          me = await signedIn({ app })
          const there = await write(...instants.map((at) => ({ at })))
          const seen: string[] = []
          let cursor: string | null = ''
          for (let turn = 0; cursor !== null; turn++) {
            const next: ListPage<AuditItem> = await page(`limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`)
            seen.push(...next.items.map(({ id }) => id))
            cursor = next.nextCursor
            await write(...(later[turn] ?? []).map((at) => ({ at })))
          }
          expect(new Set(seen).size).toBe(seen.length)
          expect(there.filter((id) => !seen.includes(id))).toEqual([])
        },
      ),
      { numRuns: env['LONG'] === '1' ? 200 : 6 },
    )
  })
})

describe('the audit log as a file', () => {
  const file = async (query = '') => {
    const answer = await me.fetch(`/files/audit?${query}`)
    expect(answer.status).toBe(200)
    return { answer, lines: (await answer.text()).replace('\ufeff', '').trimEnd().split('\r\n') }
  }

  it('holds what is filtered, one line each, and is itself a line of the log', async () => {
    await write({ at: 1_000 }, { at: 2_000, action: 'insight.create' })
    const { answer, lines } = await file('action=source.')
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toMatch(/audit log \d{4}-\d\d-\d\d\.csv/)
    expect(lines).toEqual([
      'Time (UTC),Person,Person ID,Event,Action,Type,ID,Hash before,Hash after,Country',
      `1970-01-01T00:00:01.000Z,Test Person,${me.userId},renamed a data source,source.update,source,src_x,aa,,SE`,
    ])
    expect((await page('')).items[0]).toMatchObject({ action: 'audit.export', actor: { userId: me.userId } })
  })

  it('has no cell that a spreadsheet computes', async () => {
    await env.DB.prepare('UPDATE users SET name = ? WHERE id = ?').bind('=cmd|calc!A1', me.userId).run()
    await write({ at: 1, entityId: '@SUM(1)' })
    const { lines } = await file()
    expect(lines[1]).toContain(`,'=cmd|calc!A1,`)
    expect(lines[1]).toContain(`,'@SUM(1),`)
  })

  it('holds every line once, however many pages are read for it', async () => {
    await env.DB.prepare(
      `INSERT INTO audit (id, workspace_id, action, entity, entity_id, at)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
       SELECT 'aud_' || printf('%020d', i), ?, 'source.update', 'source', i, 1 + i / 700 FROM n`,
    )
      .bind(me.workspaceId)
      .run()
    const { lines } = await file()
    expect(new Set(lines.slice(1).map((line) => line.split(',')[6])).size).toBe(2_500)
    expect(lines).toHaveLength(2_501)
  })

  it('is refused with the number of lines when nobody would read it', async () => {
    await env.DB.prepare(
      `INSERT INTO audit (id, workspace_id, action, entity, entity_id, at)
       WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       SELECT 'aud_' || ? || i, ?, 'source.update', 'source', i, 1 FROM n`,
    )
      .bind(AUDIT_EXPORT_MAX, systemIds.token(4), me.workspaceId)
      .run()
    const answer = await me.fetch('/files/audit')
    expect([answer.status, await answer.json()]).toMatchObject([
      413,
      {
        code: 'too_large',
        size: AUDIT_EXPORT_MAX + 1,
        max: AUDIT_EXPORT_MAX,
        message: expect.stringContaining('100,001'),
      },
    ])
  })
})
