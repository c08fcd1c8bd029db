import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { openClickhouse } from './clickhouse-client'
import { clickhouseConnector } from './clickhouse-connector'
import {
  clickhouseDoors,
  clickhouseFixture,
  clickhouseStatements,
} from '../../../test/worker/connectors/clickhouse-fixture'
import { emulatorDoors } from '../../../test/worker/connectors/doors'
import { contextOf } from '../../../test/worker/connectors/fixture'
import type { DatabaseLogin } from '../databases/client'

const LOGIN: DatabaseLogin = {
  ...{ host: 'ch.example.com', port: 8443, database: 'shop', user: 'reader', password: 'pä55-marker' },
  ...{ tls: 'required', maxBytes: 1_000_000 },
}
const answering = (answer: Response) =>
  openClickhouse(
    emulatorDoors(() => answer),
    LOGIN,
  )

it('sends values beside the statement, over https, in a call that can write nothing', async () => {
  const heard: { url: URL; form: FormData; authorization: string | null }[] = []
  const doors = emulatorDoors(async (request) => {
    const { headers, url } = request
    heard.push({ url: new URL(url), form: await request.formData(), authorization: headers.get('authorization') })
    return new Response('["a",null]\n["1",true]\n["over","what was asked for"]\n')
  })
  const client = await openClickhouse(doors, LOGIN)
  const values = [`'; DROP TABLE x --`, 'tab\there\\ and\nthere']
  const { rows } = await client.query('SELECT {p1:String}, {p2:String}', values, 2)
  expect(rows).toEqual([
    ['a', null],
    ['1', 'true'],
  ])
  const [call] = heard
  expect(call?.url.origin).toBe('https://ch.example.com:8443')
  expect(Object.fromEntries(call?.url.searchParams ?? [])).toMatchObject({ readonly: '2', database: 'shop' })
  expect(call?.url.href).not.toContain('marker')
  const fields = ['query', 'param_p1', 'param_p2'].map((name) => call?.form.get(name))
  expect(fields).toEqual(['SELECT {p1:String}, {p2:String}', `'; DROP TABLE x --`, 'tab\\there\\\\ and\\nthere'])
  expect(
    new TextDecoder().decode(Uint8Array.from(atob(call?.authorization?.slice(6) ?? ''), (c) => c.charCodeAt(0))),
  ).toBe('reader:pä55-marker')
})

it.each([
  { status: 403, code: '516', reason: 'auth', said: /password/ },
  { status: 403, code: null, reason: 'auth', said: /password/ },
  { status: 404, code: '60', reason: 'drift', said: /isn’t there/ },
  { status: 500, code: '159', reason: 'timeout', said: /30 seconds/ },
  { status: 500, code: '164', reason: 'auth', said: /tried to write/ },
  { status: 500, code: '241', reason: 'down', said: /error 241/ },
])('says in words what $status with code $code means, and nothing that the server says', async (told) => {
  const headers = told.code === null ? {} : { 'x-clickhouse-exception-code': told.code }
  const client = await answering(new Response('secret of the server', { status: told.status, headers }))
  const refusal = await client.query('SELECT 1').catch((error: unknown) => error)
  expect(refusal).toMatchObject({ reason: told.reason, message: expect.stringMatching(told.said) })
  expect(String(refusal)).not.toContain('secret')
})

it('says of a server that is none that it is none', async () => {
  const client = await answering(new Response('<html>Hello'))
  await expect(client.query('SELECT 1')).rejects.toMatchObject({
    reason: 'down',
    mend: expect.stringContaining('HTTPS'),
  })
})

it.skipIf(env.HAS_CLICKHOUSE !== '1')(
  'finds tables with their types, sorting and rows, and values as they are',
  async () => {
    const fixture = clickhouseFixture(true)
    const context = contextOf(fixture, await fixture.doors())
    const stream = (await clickhouseConnector.discover(context)).find(({ label }) => label === 'orders')
    if (!stream) throw new Error('no orders')
    expect(stream).toMatchObject({ modes: ['replace', 'live'], keyColumns: [], estimatedRows: 5 })
    expect(stream.columns?.map(({ name, type, scale, zoned }) => [name, type, scale ?? zoned])).toEqual([
      ...[
        ['id', 'integer', undefined],
        ['buyer', 'text', undefined],
        ['amount', 'number', 2],
      ],
      ...[
        ['weight', 'number', undefined],
        ['paid', 'boolean', undefined],
        ['day', 'date', undefined],
      ],
      ...[
        ['seen', 'datetime', true],
        ['tags', 'text', undefined],
      ],
    ])
    const budget = { maxRows: 2, maxBytes: 10_000, deadlineAt: Infinity }
    const page = await clickhouseConnector.read(context, { stream, mode: 'replace', cursor: null, budget })
    expect(page.kind === 'rows' && page.rows).toEqual([
      ['1', 'Åsa', '12.5', '0.25', 'true', '2026-01-31', '2026-02-01T10:00:00.125Z', "['a','b']"],
      ['2', "O'Hara", '-3', null, 'false', null, '2026-02-02T10:00:00.000Z', '[]'],
    ])
    expect(await clickhouseConnector.live?.(context, stream)).toEqual({
      ...{ dialect: 'clickhouse', schema: 'plans', table: 'orders', rowKey: ['id', 'seen'], unique: [] },
    })
    const texts = [`it's`, 'a\\b', 'tab\t', 'line\nbreak', '日本 {p1:String}', '']
    await clickhouseStatements(['SELECT 1'])
    const { host = '', database = '', user = '' } = fixture.connection.settings
    const login = { ...LOGIN, host, database, user, password: fixture.connection.secrets['password'] ?? '' }
    const client = await openClickhouse(clickhouseDoors(), login)
    const { rows } = await client.query(`SELECT ${texts.map((_, at) => `{p${at + 1}:String}`).join(', ')}`, texts)
    expect(rows).toEqual([texts])
  },
)
