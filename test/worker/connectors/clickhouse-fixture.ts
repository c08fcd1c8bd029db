import { env } from 'cloudflare:test'
import { CLOSED_DOORS, emulatorDoors } from './doors'
import type { ConnectorFixture } from './fixture'
import type { Doors } from '../../../src/outbound/doors'

/*
 * ClickHouse's own engine behind its HTTP interface as that is documented (https://clickhouse.com/docs/interfaces/http):
 * the engine runs in a process without a server, so calls and refusals are brought to it here. Values it reads as the server does.
 */
const MARKER = 'secret-of-reader'
const USER = 'reader'

async function ask(statements: { text: string; values: string[] }[]): Promise<Response> {
  return env.SQL_DOOR.fetch('http://sql/clickhouse', { method: 'POST', body: JSON.stringify(statements) })
}

/** Runs statements as somebody who may write; false where the machine has no such engine. */
export async function clickhouseStatements(statements: readonly string[]): Promise<boolean> {
  const answer = await ask(statements.map((text) => ({ text, values: [] })))
  if (answer.status === 404) return false
  if (!answer.ok) throw new Error(await answer.text())
  return true
}

const refused = (code: number, status = 500): Response =>
  new Response('', { status, headers: { 'x-clickhouse-exception-code': String(code) } })

export async function clickhouseAnswer(request: Request): Promise<Response> {
  const expected = `Basic ${btoa(`${USER}:${MARKER}`)}`
  if (request.headers.get('authorization') !== expected) return refused(516, 403)
  const settings = new URL(request.url).searchParams
  if (settings.get('database') !== 'plans') return refused(81, 404)
  const form = await request.formData()
  const field = (name: string): string => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  const text = field('query')
  if (settings.get('readonly') === '2' && !/^\s*(SELECT|WITH|DESCRIBE)\b/i.test(text)) return refused(164)
  const values: string[] = []
  for (let at = 1; form.has(`param_p${at}`); at += 1) values.push(field(`param_p${at}`))
  const told = await ask([{ text, values }])
  if (!told.ok) return refused(Number(/Code: (\d+)/.exec(await told.text())?.[1] ?? 0))
  const [rows = []] = await told.json<(string | null)[][][]>()
  const most = Number(settings.get('max_result_rows'))
  return new Response(
    rows
      .slice(0, most)
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(''),
  )
}
export const clickhouseDoors = (): Doors => emulatorDoors(clickhouseAnswer)

const ORDERS = [
  'DROP TABLE IF EXISTS orders',
  `CREATE TABLE orders (id Int32, buyer LowCardinality(Nullable(String)), amount Nullable(Decimal(12, 2)), weight Nullable(Float64),
    paid Nullable(Bool), day Nullable(Date32), seen DateTime64(3), tags Array(String)) ENGINE = MergeTree ORDER BY (id, seen)`,
  `INSERT INTO orders VALUES
    (1, 'Åsa', 12.50, 0.25, TRUE, '2026-01-31', '2026-02-01 10:00:00.125', ['a', 'b']),
    (2, 'O\\'Hara', -3.00, NULL, FALSE, NULL, '2026-02-02 10:00:00', []),
    (3, NULL, 1000000.99, nan, NULL, '2024-02-29', '2026-02-02 10:00:00', []),
    (3, '', 0.00, -1.5, TRUE, '2026-03-01', '1970-01-01 00:00:00', []),
    (5, '日本', NULL, 2, FALSE, '2026-03-02', '2026-03-03 00:00:00', [])`,
]

export const clickhouseFixture = (hasEngine: boolean): ConnectorFixture => {
  const settings = { host: 'db.example.com', port: '8443', database: 'plans', user: USER, what: 'tables' }
  return {
    connection: { settings, secrets: { password: MARKER } },
    refused: { settings, secrets: { password: 'wrong-password' } },
    doors: async () => ((await clickhouseStatements(ORDERS)) ? clickhouseDoors() : CLOSED_DOORS),
    tables: ['plans.orders'],
    ...(hasEngine ? {} : { skipped: 'ClickHouse is started by the long run, where the machine has it.' }),
  }
}
