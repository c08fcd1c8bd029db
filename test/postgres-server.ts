import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './mariadb-server.ts'

/** Statements of a test, one after the other. */
interface SqlServer {
  port: number
  run(text: string): Promise<void>
}

/** PostgreSQL in this process, spoken to over TCP. It asks nobody for a password. */
export async function pgliteServer(at?: number): Promise<SqlServer> {
  const db = await PGlite.create()
  const port = at ?? (await freePort())
  const server = new PGLiteSocketServer({ db, port, host: '127.0.0.1', maxConnections: 10 })
  await server.start()
  // Tests end whether or not it still listens.
  const listening: unknown = Reflect.get(server, 'server')
  if (listening instanceof Server) listening.unref()
  // All connections share one session: what the last one set is taken back.
  const open = 'SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE'
  return {
    port,
    async run(text) {
      await db.exec(open)
      await db.exec(text)
    },
  }
}

const ROOT = '/usr/lib/postgresql'
const version = existsSync(ROOT) ? readdirSync(ROOT).toSorted().at(-1) : undefined

/** Whether {@link postgresServer} can be had. */
export const hasPostgres = version !== undefined && process.getuid?.() === 0

/** A server of its own, as the machine's packages have it, that asks for passwords by SCRAM; null where they have none. */
export async function postgresServer(at?: number): Promise<SqlServer | null> {
  if (version === undefined || !hasPostgres) return null
  const bin = join(ROOT, version, 'bin')
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })))
  if (uid === undefined || gid === undefined) return null
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  writeFileSync(join(folder, 'password'), 'secret-of-root')
  for (const path of [folder, join(folder, 'password')]) chownSync(path, uid, gid)
  const data = join(folder, 'data')
  const as = { uid, gid, cwd: folder, stdio: 'ignore' as const }
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'root', '-A', 'scram-sha-256', `--pwfile=${folder}/password`, '-E', 'UTF8', '--locale=C', '-N'],
    as,
  )
  if (made.status !== 0) return null
  const port = at ?? (await freePort())
  const daemon = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-c', 'fsync=off', '-c', 'max_connections=20'],
    as,
  )
  daemon.unref()
  process.on('exit', () => {
    daemon.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const run = (text: string): number | null =>
    spawnSync(
      join(bin, 'psql'),
      [
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
        '-U',
        'root',
        '-d',
        'postgres',
        '-v',
        'ON_ERROR_STOP=1',
        '-q',
        '-c',
        text,
      ],
      {
        env: { ...process.env, PGPASSWORD: 'secret-of-root' },
        stdio: 'ignore',
      },
    ).status
  for (let attempt = 0; run('SELECT 1') !== 0; attempt += 1) {
    if (attempt === ATTEMPTS_MAX) return null
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    port,
    run(text) {
      if (run(text) !== 0) throw new Error(`The server refused: ${text.slice(0, 200)}`)
      return Promise.resolve()
    },
  }
}
const ATTEMPTS_MAX = 100
