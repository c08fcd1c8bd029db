import { connectionStore } from './connection-store'
import { dueConnectionStore } from './due-connection-store'
import { openCredentials, sealCredentials } from './credentials'
import type { Deps } from '../deps'
import { log } from '../lib/log'
import { keyringOf } from '../secrets/secret-box'
import { ProductError } from '../shared/errors'

/** Of one scheduled round. */
const ROTATED_AT_ONCE = 100

/**
 * Seals with the current key what an earlier one sealed, some in each round: killed anywhere, it goes on with what is left.
 * A secret that somebody writes meanwhile is newer and stays.
 * @returns how many were sealed again
 */
export async function rotateSecrets(deps: Pick<Deps, 'db' | 'settings'>, limit = ROTATED_AT_ONCE): Promise<number> {
  if (deps.settings.SECRETS_KEYS === undefined) return 0
  const { current } = await keyringOf(deps.settings.SECRETS_KEYS)
  let [done, after] = [0, '']
  // Those that no key opens any more are passed over: they hold up nobody behind them.
  while (done < limit) {
    const rows = await dueConnectionStore(deps.db).notSealedWith(current.id, { after, limit })
    for (const row of rows) done += await sealAgain(deps, row)
    const last = rows.at(-1)
    if (!last || rows.length < limit) return done
    after = last.sourceId
  }
  return done
}

type SealedRow = Awaited<ReturnType<ReturnType<typeof dueConnectionStore>['notSealedWith']>>[number]

async function sealAgain(deps: Pick<Deps, 'db' | 'settings'>, row: SealedRow): Promise<number> {
  try {
    const sealed = await sealCredentials(deps, row, await openCredentials(deps, row))
    if (!sealed) return 0
    const write = connectionStore(deps.db, row.workspaceId).setSecrets(row.sourceId, {
      ...sealed,
      version: row.version,
    })
    return (await write.run()).meta.changes
  } catch (error) {
    if (!(error instanceof ProductError && error.code === 'credential_unreadable')) throw error
    log('warn', 'a credential could not be read for its rotation', { sourceId: row.sourceId })
    return 0
  }
}
