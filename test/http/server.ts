import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'

export interface StateDirectory {
  path: string
  remove: () => void
}

const STAMPS = '.stamps'
const QUIET_ENV = {
  ...{ ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
  // What a server is made of is compiled once, not at each of its many starts.
  NODE_COMPILE_CACHE: resolve(STAMPS, 'compiled'),
}
const MIGRATIONS = 'migrations'

/** Brings the database of a state folder up to date, as `npm start` does it. */
export function migrate(state: string): void {
  const script = `import('./scripts/migrate.mjs').then(({ migrate }) => migrate(${JSON.stringify(state)})).then(process.exit)`
  const done = spawnSync('node', ['-e', script], { env: QUIET_ENV, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`migrations: ${done.stderr}`)
}

/** A migrated database that nobody has used: kept until the migrations, or what applies them, are others. */
export function unusedState(): string {
  const hash = createHash('sha256')
  for (const file of readdirSync(MIGRATIONS, { recursive: true, encoding: 'utf8' }).sort())
    if (file.endsWith('.sql')) hash.update(file).update(readFileSync(join(MIGRATIONS, file)))
  for (const file of ['scripts/migrate.mjs', 'wrangler.toml', 'package-lock.json']) hash.update(readFileSync(file))
  const kept = `unused-${hash.digest('hex').slice(0, 16)}`
  const path = join(STAMPS, kept, 'v3')
  if (existsSync(path)) return path
  mkdirSync(STAMPS, { recursive: true })
  for (const name of readdirSync(STAMPS))
    if (/^unused-[0-9a-f]{16}$/.test(name)) rmSync(join(STAMPS, name), { recursive: true, force: true })
  const folder = mkdtempSync(join(STAMPS, 'migrating-'))
  migrate(folder)
  try {
    renameSync(folder, join(STAMPS, kept))
  } catch (error) {
    // Another run was as quick.
    rmSync(folder, { recursive: true, force: true })
    if (!existsSync(path)) throw error
  }
  return path
}

/** A folder with an empty, migrated database. */
export function createStateDirectory(unused = unusedState()): StateDirectory {
  const folder = mkdtempSync(join(tmpdir(), 'insikt-state-'))
  const path = join(folder, 'v3')
  cpSync(unused, path, { recursive: true })
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A statement that gives a person the staff role, as an operator does. */
export const makeStaffSql = (email: string): string =>
  `UPDATE users SET staff_role = 'support' WHERE email = '${email}'`

export interface RunningServer {
  address: string
  /** Where the stand-in for billing answers; null = none was started. */
  billing: string | null
  pid: number
  /** Writes rows into the database while the server runs: all statements or none. */
  write: (...statements: string[]) => Promise<void>
  /** As Ctrl-C does. */
  stop: () => Promise<void>
  /** As a power cut does: the whole process group at once. */
  kill: () => Promise<void>
  /** Ends the runtime alone, which is started again on the same port: answers when it is there. */
  killRuntime: () => Promise<void>
}

export interface ServerOptions {
  /** Settings of the Worker beside the local ones. */
  settings?: Record<string, string>
  /** Environment of the server's process. */
  environment?: Record<string, string>
}

const SERVED = /http:\/\/localhost:\d+/
const BILLING = /http:\/\/127\.0\.0\.1:\d+/

/** The production build on a free port over a state folder. */
export async function startServer(state: string, options: ServerOptions = {}): Promise<RunningServer> {
  const settings = JSON.stringify(options.settings ?? {})
  const server = spawn('node', ['scripts/serve.mjs'], {
    env: { ...QUIET_ENV, ...options.environment, PORT: '0', STATE: state, SETTINGS: settings },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    detached: true,
  })
  const pid = server.pid
  if (pid === undefined) throw new Error('the server did not start')
  const gone = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  // All that is said of where it runs is said in one breath.
  const said = await new Promise<string>((hear, reject) => {
    server.once('exit', (status) => reject(new Error(`the server stopped with ${status}`)))
    server.stdout?.on('data', (chunk: Buffer) => {
      const text = chunk.toString()
      if (SERVED.test(text)) hear(text)
    })
  })
  const address = SERVED.exec(said)?.[0] ?? ''
  const billing = BILLING.exec(said)?.[0] ?? null
  const end = (signal: NodeJS.Signals, target: number) => async (): Promise<void> => {
    process.kill(target, signal)
    await gone
  }
  const ends = { stop: end('SIGINT', pid), kill: end('SIGKILL', -pid), killRuntime: () => killRuntime(pid, address) }
  return { address, billing, pid, write: writerOf(server), ...ends }
}

const RESTART_POLL_MS = 50
async function killRuntime(pid: number, address: string): Promise<void> {
  for (const child of childrenOf(pid)) process.kill(child, 'SIGKILL')
  for (;;) {
    const answer = await fetch(`${address}/health`).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, RESTART_POLL_MS))
  }
}

function childrenOf(pid: number): number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const children = listed.trim().split(/\s+/).map(Number).filter(Number.isInteger)
  if (children.length === 0) throw new Error('the server has no runtime')
  return children
}

const writtenSchema = z.object({ id: z.number(), error: z.string().nullable() })

function writerOf(server: ChildProcess): RunningServer['write'] {
  let last = 0
  return (...statements) =>
    new Promise((resolve, reject) => {
      const id = ++last
      const hear = (message: unknown): void => {
        const written = writtenSchema.parse(message)
        if (written.id !== id) return
        server.off('message', hear)
        if (written.error === null) resolve()
        else reject(new Error(written.error))
      }
      server.on('message', hear)
      server.send({ id, statements })
    })
}
