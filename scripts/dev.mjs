// npm run dev: the same Worker with hot reload of screens and server code.
import './guard.mjs'
import { spawn } from 'node:child_process'
import { localSettings, QUIET, run } from './local.mjs'

localSettings()
run('wrangler', 'd1', 'migrations', 'apply', 'DB', '--local')
const server = spawn('vite', ['dev', '--port', process.env.PORT ?? '8787', '--strictPort'], {
  stdio: 'inherit',
  env: { ...process.env, ...QUIET },
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.kill(signal))
server.on('exit', (status) => process.exit(status ?? 0))
