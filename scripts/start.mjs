// npm start: build when the sources changed, bring the local database up to date, serve, seed once.
// STATE=<folder> keeps its data elsewhere.
import './guard.mjs'
import { localSettings, run } from './local.mjs'
import { migrate, servedFolder } from './migrate.mjs'
import { seed } from './seed.mjs'
import { isFresh, stamp } from './stamp.mjs'

const { DEMO_PASSWORD } = localSettings()
const SOURCES = [
  'src',
  'client',
  'public',
  'client-chunks.ts',
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
const state = process.env.STATE ?? '.wrangler/state'
if (state === 'memory') {
  console.error('STATE=memory keeps no database to bring up to date. Name a folder, or leave STATE out.')
  process.exit(1)
}
const migrated = await migrate(state)
if (migrated !== 0) process.exit(migrated)
process.env.STATE = servedFolder(state)
const { url } = await import('./serve.mjs')
await seed(url, DEMO_PASSWORD)
