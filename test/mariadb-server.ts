import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mysql from 'mysql2/promise'

interface Server {
  port: number
  query(text: string, values: readonly string[]): Promise<(string | null)[][]>
}

const DAEMON = ['/usr/sbin/mariadbd', '/usr/sbin/mysqld'].find((path) => existsSync(path))

export const hasMariadb = DAEMON !== undefined

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })

/** A MariaDB of its own, as the machine's packages have it; null where they have none. It ends with this process. */
export async function mariadb(): Promise<Server | null> {
  if (DAEMON === undefined) return null
  const folder = mkdtempSync(join(tmpdir(), 'mariadb-'))
  const asRoot = process.getuid?.() === 0 ? ['--user=root'] : []
  const install = spawnSync(
    'mariadb-install-db',
    ['--no-defaults', `--datadir=${folder}/data`, '--auth-root-authentication-method=normal', ...asRoot],
    { stdio: 'ignore' },
  )
  if (install.status !== 0) return null
  const port = await freePort()
  const daemon = spawn(
    DAEMON,
    [
      '--no-defaults',
      `--datadir=${folder}/data`,
      `--socket=${folder}/socket`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--innodb-flush-log-at-trx-commit=0',
      '--skip-log-bin',
      '--skip-name-resolve',
      ...asRoot,
    ],
    { stdio: 'ignore' },
  )
  process.on('exit', () => {
    daemon.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  daemon.unref()
  const connection = await connected(port)
  if (!connection) return null
  await connection.query('CREATE DATABASE plans CHARACTER SET utf8mb4')
  await connection.query('USE plans')
  await connection.query(`SET time_zone = '+00:00'`)
  return {
    port,
    async query(text, values) {
      const [rows] = await connection.query({
        sql: text,
        values: [...values],
        rowsAsArray: true,
        typeCast: (field) => field.string('utf8'),
      })
      return Array.isArray(rows) ? JSON.parse(JSON.stringify(rows)) : []
    },
  }
}

/** Waits for a server that has just been started. */
async function connected(port: number): Promise<mysql.Connection | null> {
  // Tests end whether or not it is still open.
  const stream = (): Socket => connect(port, '127.0.0.1').unref()
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1)
    try {
      return await mysql.createConnection({ user: 'root', stream })
    } catch {
      await new Promise((resolve) => setTimeout(resolve, ATTEMPT_MS))
    }
  return null
}
const [ATTEMPTS_MAX, ATTEMPT_MS] = [100, 100]
