// npm start: build when the sources changed, bring the local database up to date, serve, seed once.
import './guard.mjs'
import { localSettings, run } from './local.mjs'
import { seed } from './seed.mjs'
import { isFresh, stamp } from './stamp.mjs'

const { DEMO_PASSWORD } = localSettings()
const SOURCES = ['src', 'client', 'public', 'vite.config.ts', 'wrangler.toml', 'package-lock.json', '.dev.vars']
if (!isFresh('build', SOURCES, ['dist/insikt/wrangler.json', 'dist/client/.vite/manifest.json'])) {
  run('vite', 'build', '--logLevel', 'warn')
  stamp('build', SOURCES)
}
run('wrangler', 'd1', 'migrations', 'apply', 'DB', '--local')
const { url } = await import('./serve.mjs')
await seed(url, DEMO_PASSWORD)
