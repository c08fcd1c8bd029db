// What every local script shares: environment of child processes, the file of local secrets, running a step.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'

export const QUIET = { CI: '1', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' }

/** Types are found out once, not by each of several threads, and memory is collected seldom: half the work. */
export const ONE_CHECKER = { GOMAXPROCS: '1', GOGC: '200' }
/** The arguments of the compiler that go with it. */
export const TYPES = ['-b', '--singleThreaded']

/** Runs a step to its end; a failing one ends the script with its status. */
export function run(command, ...args) {
  const done = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...QUIET } })
  if (done.status !== 0) process.exit(done.status ?? 1)
}

const FILE = '.dev.vars'

/** Settings of local mode, written once into a git-ignored file with random secrets. */
export function localSettings() {
  if (!existsSync(FILE)) {
    const secret = () => randomBytes(32).toString('base64url')
    writeFileSync(FILE, `LOCAL_MODE="1"\nENVIRONMENT="local"\nSESSION_SECRET="${secret()}"\n`, { mode: 0o600 })
  }
  // Files of earlier versions know no demo.
  if (!/^DEMO_PASSWORD=/m.test(readFileSync(FILE, 'utf8')))
    appendFileSync(FILE, `DEMO_PASSWORD="demo-${randomBytes(6).toString('base64url')}"\n`)
  // Nor do they know sources that are connected.
  if (!/^SECRETS_KEYS=/m.test(readFileSync(FILE, 'utf8')))
    appendFileSync(FILE, `SECRETS_KEYS="local:${randomBytes(32).toString('base64')}"\n`)
  const settings = {}
  for (const line of readFileSync(FILE, 'utf8').split('\n')) {
    const found = /^([A-Z_]+)="?(.*?)"?$/.exec(line.trim())
    if (found) settings[found[1]] = found[2]
  }
  return settings
}
