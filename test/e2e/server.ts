import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    address: string
  }
}

const quiet = { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' }

/** Serves the production build on a free port over an empty state folder, for all journeys of a run. */
export default async function serve(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'insikt-e2e-'))
  const migrate = ['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', folder]
  const migrated = spawnSync('wrangler', migrate, { env: quiet, encoding: 'utf8' })
  if (migrated.status !== 0) throw new Error(`migrations: ${migrated.stderr}`)
  const server = spawn('node', ['scripts/serve.mjs'], {
    env: { ...quiet, PORT: '0', STATE: join(folder, 'v3') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const address = await new Promise<string>((resolve, reject) => {
    server.once('exit', (status) => reject(new Error(`the server stopped with ${status}`)))
    server.stdout.on('data', (chunk: Buffer) => {
      const found = /http:\/\/localhost:\d+/.exec(chunk.toString())
      if (found) resolve(found[0])
    })
  })
  project.provide('address', address)
  return async () => {
    const gone = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGINT')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
}
