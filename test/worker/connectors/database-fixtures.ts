import { connect } from 'cloudflare:sockets'
import { env } from 'cloudflare:test'
import { CLOSED_DOORS } from './doors'
import type { ConnectorFixture } from './fixture'
import { DoorError, type Doors, type DoorSocket } from '../../../src/outbound/doors'

/** Databases of this machine, reached over TCP. */
const MARKER = 'secret-of-reader'

export async function portOf(name: string, statements: readonly string[]): Promise<number | null> {
  const body = JSON.stringify(statements.map((text) => ({ text, values: [] })))
  const response = await env.SQL_DOOR.fetch(`http://sql/${name}`, { method: 'POST', body })
  if (response.status === 404) return null
  if (!response.ok) throw new Error(await response.text())
  return Number(response.headers.get('x-port'))
}

/** Runs statements as somebody who may write; false where the machine has no such database. */
export const statementsOn = async (name: string, statements: readonly string[]): Promise<boolean> =>
  (await portOf(name, statements)) !== null

export function plainSocket(port: number): DoorSocket {
  const socket = connect({ hostname: '127.0.0.1', port }, { secureTransport: 'starttls', allowHalfOpen: false })
  socket.closed.catch(() => undefined)
  return {
    readable: socket.readable,
    writable: socket.writable,
    startTls: () => {
      throw new DoorError('down')
    },
    close: () => socket.close().catch(() => undefined),
  }
}
export const socketDoors = (port: number): Doors => ({ ...CLOSED_DOORS, connect: async () => plainSocket(port) })

const ORDERS = [
  'DROP TABLE IF EXISTS orders',
  `CREATE TABLE orders (id integer PRIMARY KEY, buyer varchar(40), amount numeric(12,2), weight double precision,
    paid boolean, day date, updated_at timestamp NULL)`,
  `INSERT INTO orders VALUES
    (1, 'Åsa', 12.50, 0.25, TRUE, '2026-01-31', '2026-02-01 10:00:00.125'),
    (2, 'O''Hara', -3.00, NULL, FALSE, NULL, '2026-02-02 10:00:00'),
    (3, NULL, 1000000.99, 1e20, NULL, '2024-02-29', '2026-02-02 10:00:00'),
    (4, '', 0.00, -1.5, TRUE, '2026-03-01', NULL),
    (5, '日本', NULL, 2, FALSE, '2026-03-02', '2026-03-03 00:00:00')`,
  'DROP TABLE IF EXISTS tags',
  `CREATE TABLE tags (name varchar(20), weight integer)`,
  `INSERT INTO tags VALUES ('a', 1), ('b', NULL), ('a', 1), (NULL, 4)`,
]

const fixture = (settings: Record<string, string>, doors: ConnectorFixture['doors']): ConnectorFixture => ({
  connection: {
    settings: { tls: 'off', host: 'db.example.com', what: 'tables', ...settings },
    secrets: { password: MARKER },
  },
  doors,
})

export const postgresFixture = (): ConnectorFixture =>
  fixture({ port: '5432', database: 'postgres', user: 'postgres' }, async () => {
    const port = await portOf('pglite-socket', ORDERS)
    return port === null ? CLOSED_DOORS : socketDoors(port)
  })

/** The same by a server that asks for passwords; null where the machine has none. */
export async function postgresServerFixture(): Promise<{ port: number; user: string; database: string } | null> {
  const port = await portOf('postgres', [
    ...ORDERS,
    `DO $$ BEGIN IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'reader') THEN DROP OWNED BY reader; DROP ROLE reader; END IF; END $$`,
    `CREATE ROLE reader LOGIN PASSWORD '${MARKER}'`,
    'GRANT SELECT ON orders TO reader',
  ])
  return port === null ? null : { port, user: 'reader', database: 'postgres' }
}

export async function mariadbServerFixture(): Promise<{ port: number; user: string; database: string } | null> {
  const port = await portOf('mariadb', [
    ...ORDERS.map((text) => text.replace('updated_at timestamp', 'updated_at datetime(3)')),
    `CREATE USER IF NOT EXISTS reader IDENTIFIED BY '${MARKER}'`,
    'GRANT SELECT ON plans.* TO reader',
  ])
  return port === null ? null : { port, user: 'reader', database: 'plans' }
}
export const mysqlFixture = (hasServer: boolean): ConnectorFixture => ({
  ...fixture({ port: '3306', database: 'plans', user: 'reader' }, async () => {
    const server = await mariadbServerFixture()
    return server === null ? CLOSED_DOORS : socketDoors(server.port)
  }),
  refused: {
    settings: { tls: 'off', host: 'db.example.com', what: 'tables', port: '3306', database: 'plans', user: 'reader' },
    secrets: { password: 'wrong-password' },
  },
  tables: ['plans.orders', 'plans.tags'],
  ...(hasServer ? {} : { skipped: 'MariaDB is started by the long run, where the machine has it.' }),
})
