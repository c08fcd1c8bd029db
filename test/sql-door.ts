import { PGlite } from '@electric-sql/pglite'
import { clickhouse } from './clickhouse-engine.ts'
import { freePort, mariadb } from './mariadb-server.ts'
import { pgliteServer, postgresServer } from './postgres-server.ts'

/** Databases that tests in the Worker put statements to; each is started when the first statement comes. */
interface TestDatabase {
  /** Where it is spoken to over TCP. */
  port?: number
  /** Every cell as text. */
  query(text: string, values: readonly string[]): Promise<(string | null)[][]>
}
type Starter = () => Promise<TestDatabase | null>

async function pglite(): Promise<TestDatabase> {
  const database = await PGlite.create()
  await database.exec(`SET TIME ZONE 'UTC'`)
  const asIs = (text: string): string => text
  // Cells come as they are written: every type that a statement answers with is read as its text.
  const parsers = new Proxy<Record<number, (text: string) => string>>({}, { get: () => asIs, has: () => true })
  return {
    async query(text, values) {
      const { rows } = await database.query<(string | null)[]>(text, [...values], { rowMode: 'array', parsers })
      return rows
    },
  }
}
const overTcp =
  (start: () => Promise<{ port: number; run(text: string): Promise<void> } | null>): Starter =>
  async () => {
    const server = await start()
    if (!server) return null
    return {
      port: server.port,
      async query(text) {
        await server.run(text)
        return []
      },
    }
  }

/** Ports of the servers that bindings of Hyperdrive lead to: bindings are made before a server is started. */
const POOLED = { pglite: await freePort(), postgres: await freePort() }
export const hyperdrives = {
  HYPERDRIVE_PGLITE: `postgresql://postgres:any-password@127.0.0.1:${POOLED.pglite}/postgres`,
  HYPERDRIVE_POSTGRES: `postgresql://reader:secret-of-reader@127.0.0.1:${POOLED.postgres}/postgres`,
}

const STARTERS: Record<string, Starter> = {
  ...{ pglite, mariadb, clickhouse },
  // One for each file that makes tables: files run at the same time, and one reads every table there is.
  ...{ 'pglite-socket': overTcp(() => pgliteServer(POOLED.pglite)), 'pglite-live': overTcp(() => pgliteServer()) },
  postgres: overTcp(() => postgresServer(POOLED.postgres)),
  'postgres-live': overTcp(() => postgresServer()),
}
const started = new Map<string, Promise<TestDatabase | null>>()

/** `POST /<database>` with statements, or none to learn its port; 404 where the machine has no such database. */
export async function sqlDoor(request: Request): Promise<Response> {
  const name = new URL(request.url).pathname.slice(1)
  const opened = started.get(name) ?? STARTERS[name]?.() ?? Promise.resolve(null)
  started.set(name, opened)
  const database = await opened
  if (!database) return new Response(null, { status: 404 })
  const asked: { text: string; values: string[] }[] = await request.json()
  const headers = { 'x-port': String(database.port ?? 0) }
  try {
    const answers: (string | null)[][][] = []
    for (const { text, values } of asked) answers.push(await database.query(text, values))
    return Response.json(answers, { headers })
  } catch (error) {
    return Response.json({ message: error instanceof Error ? error.message : String(error) }, { status: 500, headers })
  }
}
