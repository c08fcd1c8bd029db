import { createDoors } from '../../outbound/create-doors'
import { databasePools } from '../../outbound/database-pools'
import type { Doors } from '../../outbound/doors'
import { dnsOverHttps } from '../../outbound/resolve-name'
import { targetRulesOf } from '../../outbound/target-rules'
import { readSettings } from '../../settings'

/** To databases that people entered: by the same rules as everywhere. @throws Error when a setting is missing */
export function sourceDoors(env: object): Doors {
  const bindings = Object.fromEntries(Object.entries(env))
  const read = readSettings(bindings)
  if (!read.ok) throw new Error('misconfigured')
  const rules = targetRulesOf(read.settings)
  return createDoors({
    network: { rules, resolve: dnsOverHttps(undefined), fetcher: undefined },
    origins: {},
    pool: databasePools(bindings, read.settings.HYPERDRIVE_LOGINS),
  })
}
