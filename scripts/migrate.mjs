// Brings the local database of a state folder up to date.
import { spawnSync } from 'node:child_process'
import { basename, dirname, join, resolve } from 'node:path'
import { QUIET } from './local.mjs'

const TRIES = 15
/** The tool that migrates keeps everything in a folder of this name inside the one it is given. */
const INNER = 'v3'

/** The folder that `serve.mjs` reads for `STATE`: that folder itself when it is the inner one already. */
export const servedFolder = (state) =>
  basename(resolve(state)) === INNER ? resolve(state) : join(resolve(state), INNER)

/** Applies what is missing. @returns the status of the tool: 0 = up to date; its words go where this process's go */
export async function migrate(state) {
  const args = ['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', dirname(servedFolder(state))]
  for (let tries = 1; ; tries++) {
    const done = spawnSync('wrangler', args, { env: { ...process.env, ...QUIET }, encoding: 'utf8' })
    // A server that was stopped a moment ago may still hold the database: its next one waits for it.
    if (done.status === 0 || !/SQLITE_BUSY|database is locked/.test(done.stdout + done.stderr) || tries === TRIES) {
      process.stdout.write(done.stdout)
      process.stderr.write(done.stderr)
      return done.status ?? 1
    }
    await new Promise((next) => setTimeout(next, 1_000))
  }
}
