import { createDoors } from '../../outbound/create-doors'
import type { Doors } from '../../outbound/doors'
import { dnsOverHttps } from '../../outbound/resolve-name'
import { parseAllowedTargets } from '../../outbound/target-rules'
import { readSettings } from '../../settings'

/** To databases that people entered: by the same rules as everywhere. @throws Error when a setting is missing */
export function sourceDoors(env: object): Doors {
  const read = readSettings(Object.fromEntries(Object.entries(env)))
  if (!read.ok) throw new Error('misconfigured')
  const { BASE_URL, LOCAL_MODE, TEST_ALLOWED_TARGETS } = read.settings
  const allowed = LOCAL_MODE ? parseAllowedTargets(TEST_ALLOWED_TARGETS) : new Set<string>()
  const rules = { ownHosts: [new URL(BASE_URL).hostname], allowed }
  return createDoors({ network: { rules, resolve: dnsOverHttps(undefined), fetcher: undefined }, origins: {} })
}
