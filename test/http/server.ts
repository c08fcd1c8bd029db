import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const quiet = { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' }

export interface StateFolder {
  path: string
  remove: () => void
}

/** A folder with an empty, migrated database; a copy of one that nobody has used, where there is one. */
export function stateFolder(unused?: string): StateFolder {
  const folder = mkdtempSync(join(tmpdir(), 'insikt-state-'))
  const made = { path: join(folder, 'v3'), remove: () => rmSync(folder, { recursive: true, force: true }) }
  if (unused !== undefined) {
    cpSync(unused, made.path, { recursive: true })
    return made
  }
  const migrate = ['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', folder]
  const migrated = spawnSync('wrangler', migrate, { env: quiet, encoding: 'utf8' })
  if (migrated.status !== 0) throw new Error(`migrations: ${migrated.stderr}`)
  return made
}

/** Gives a person the staff role, as an operator does: in the database. `state` as `stateFolder` answers it. */
export const makeStaff = (state: string, email: string): void =>
  writeRows(state, `UPDATE users SET staff_role = 'support' WHERE email = '${email}'`)

const DATABASES = 'd1/miniflare-D1DatabaseObject'
const WRITE_WAIT_MS = 10_000

/** Writes into the database of a running server, which other journeys may be writing to in the same moment. */
export function writeRows(state: string, command: string): void {
  const folder = join(state, DATABASES)
  const files = readdirSync(folder).filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
  const [file, ...others] = files
  if (file === undefined || others.length > 0) throw new Error(`databases in ${folder}: ${files.join() || 'none'}`)
  const database = new DatabaseSync(join(folder, file), { timeout: WRITE_WAIT_MS })
  try {
    database.exec(command)
  } finally {
    database.close()
  }
}

export interface RunningServer {
  address: string
  /** Where the stand-in for billing answers; null = none was started. */
  billing: string | null
  pid: number
  /** As Ctrl-C does. */
  stop: () => Promise<void>
  /** As a power cut does: the whole process group at once. */
  kill: () => Promise<void>
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
    env: { ...quiet, ...options.environment, PORT: '0', STATE: state, SETTINGS: settings },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const pid = server.pid
  if (pid === undefined) throw new Error('the server did not start')
  const gone = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  // All that is said of where it runs is said in one breath.
  const said = await new Promise<string>((resolve, reject) => {
    server.once('exit', (status) => reject(new Error(`the server stopped with ${status}`)))
    server.stdout.on('data', (chunk: Buffer) => {
      const text = chunk.toString()
      if (SERVED.test(text)) resolve(text)
    })
  })
  const address = SERVED.exec(said)?.[0] ?? ''
  const billing = BILLING.exec(said)?.[0] ?? null
  const end = (signal: NodeJS.Signals, target: number) => async (): Promise<void> => {
    process.kill(target, signal)
    await gone
  }
  return { address, billing, pid, stop: end('SIGINT', pid), kill: end('SIGKILL', -pid) }
}
