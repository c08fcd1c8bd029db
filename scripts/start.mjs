// npm start: build when the sources changed, bring the local database up to date, serve, seed once.
import './guard.mjs'
import { spawnSync } from 'node:child_process'
import { localSettings, QUIET, run } from './local.mjs'
import { seed } from './seed.mjs'
import { isFresh, stamp } from './stamp.mjs'

const TRIES = 15
const env = { ...process.env, ...QUIET }
const { DEMO_PASSWORD } = localSettings()
const SOURCES = [
  'src',
  'client',
  'public',
  'vite.config.ts',
  'wasm-alias.ts',
  'wrangler.toml',
  'package-lock.json',
  '.dev.vars',
]
if (!isFresh('build', SOURCES, ['dist/insikt/wrangler.json', 'dist/client/.vite/manifest.json'])) {
  run('vite', 'build', '--logLevel', 'warn')
  stamp('build', SOURCES)
}
// A server that was stopped a moment ago may still hold the database: its next one waits for it.
for (let tries = 1; ; tries++) {
  const done = spawnSync('wrangler', ['d1', 'migrations', 'apply', 'DB', '--local'], { env, encoding: 'utf8' })
  if (done.status === 0 || !/SQLITE_BUSY|database is locked/.test(done.stdout + done.stderr) || tries === TRIES) {
    process.stdout.write(done.stdout)
    process.stderr.write(done.stderr)
    if (done.status !== 0) process.exit(done.status ?? 1)
    break
  }
  await new Promise((resolve) => setTimeout(resolve, 1_000))
}
const { url } = await import('./serve.mjs')
await seed(url, DEMO_PASSWORD)
