// npm run dev: the same Worker with hot reload of screens and server code.
import './guard.mjs'
import { spawn } from 'node:child_process'
import { localSettings, QUIET } from './local.mjs'
import { migrate } from './migrate.mjs'
import { billingSettings, providerSettings, vendorSettings } from './stand-ins.mjs'

const port = process.env.PORT ?? '8787'
const local = localSettings()
const billing = await billingSettings(local, { port: Number(port), state: '.wrangler/state/v3' })
const vendors = await vendorSettings(local, Number(port))
const vars = { ...(await providerSettings(local, Number(port))), ...billing.settings, ...vendors.settings }
const migrated = await migrate('.wrangler/state')
if (migrated !== 0) process.exit(migrated)
const server = spawn('vite', ['dev', '--port', port, '--strictPort'], {
  stdio: 'inherit',
  env: { ...process.env, ...QUIET, LOCAL_VARS: JSON.stringify(vars) },
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.kill(signal))
server.on('exit', (status) => process.exit(status ?? 0))
