import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { createServer, Server, type Socket } from 'node:net'
import { listenLocally, portOf, stopServer } from '../local-server.ts'
import { guardConnection } from './password-gate.ts'
import { SHOP_TABLES } from './shop.ts'

export const POSTGRES_LOGIN = { database: 'postgres', user: 'reader', password: 'reader-of-test' }

/** A PostgreSQL of a made-up shop on a port of this machine, whose password and tables can be changed and which can be away. */
export interface TestPostgres {
  port: number
  /** From now on only this password lets in. */
  setPassword(password: string): void
  /** Whether it answers at all. */
  setUp(isUp: boolean): void
  /** Runs statements as somebody who may write. */
  run(text: string): Promise<void>
  stop(): Promise<void>
}

/** @param options `port`: 0 (or one that is taken) picks a free one; `tables`: statements that make what it holds */
export async function startPostgres(options: { port?: number; tables?: string } = {}): Promise<TestPostgres> {
  const open = new Set<Socket>()
  let [password, isUp] = [POSTGRES_LOGIN.password, true]
  let made: ReturnType<typeof startBehind> | null = null
  // It takes a second to start: whoever does not ask for it does not wait for it.
  const behind = (): ReturnType<typeof startBehind> => (made ??= startBehind(options.tables ?? SHOP_TABLES))
  const server = createServer((socket) => {
    if (!isUp) return void socket.destroy()
    open.add(socket)
    void behind()
    socket.once('close', () => open.delete(socket))
    const gate = { user: POSTGRES_LOGIN.user, password: () => password, port: async () => (await behind()).port }
    guardConnection(socket, gate)
  })
  const port = await listenLocally(server, options.port)
  return {
    port,
    setPassword: (next) => {
      password = next
    },
    setUp: (next) => {
      isUp = next
      if (!next) for (const socket of open) socket.destroy()
    },
    run: async (text) => (await behind()).run(text),
    async stop() {
      for (const socket of open) socket.destroy()
      await stopServer(server)
      await (await made)?.stop()
    },
  }
}

async function startBehind(tables: string): Promise<{
  port: number
  run: (text: string) => Promise<void>
  stop: () => Promise<void>
}> {
  const db = await PGlite.create()
  await db.exec(tables)
  const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1', maxConnections: 10 })
  await server.start()
  const listening: unknown = Reflect.get(server, 'server')
  if (!(listening instanceof Server)) throw new Error('the stand-in has no port')
  listening.unref()
  return {
    port: portOf(listening),
    async run(text) {
      // All connections share one session: what the last one set is taken back.
      await db.exec('SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE')
      await db.exec(text)
    },
    async stop() {
      await server.stop()
      await db.close()
    },
  }
}
