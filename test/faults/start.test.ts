import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { migrate, startServer } from '../http/server.ts'

const folder = mkdtempSync(join(tmpdir(), 'insikt-start-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a server says and how it ends. */
function serveOver(state: string): Promise<{ status: number | null; said: string; complained: string }> {
  const server = spawn('node', ['scripts/serve.mjs'], { env: { ...process.env, PORT: '0', STATE: state } })
  let [said, complained] = ['', '']
  server.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  server.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()))
  return new Promise((ended) => server.once('exit', (status) => ended({ status, said, complained })))
}

it('does not say that it runs over a folder without tables, and says why', async () => {
  const { status, said, complained } = await serveOver(join(folder, 'empty'))
  expect(status).toBe(1)
  expect(said).not.toContain('running')
  expect(complained).toContain('Insikt does not run: the database has no tables yet')
})

it('brings the folder of STATE up to date, which then serves', async () => {
  const state = join(folder, 'elsewhere')
  migrate(state)
  const server = await startServer(join(state, 'v3'))
  expect((await fetch(`${server.address}/health`)).status).toBe(200)
  await server.stop()
})
