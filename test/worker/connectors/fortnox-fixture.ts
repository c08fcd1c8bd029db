import { emulatorDoors } from './doors'
import { FIXTURE_NOW, type ConnectorFixture } from './fixture'
import { createFortnox, FORTNOX_TENANT, type FortnoxEmulator } from '../../../emulators/fortnox/app.ts'
import { FORTNOX_TEST_KEYS } from '../../../emulators/vendors/test-keys.ts'
import { smallCompany, type VendorCompany } from '../../../emulators/vendors/company.ts'
import { FORTNOX_SCOPES } from '../../../src/connectors/fortnox/fortnox-calls'
import type { Doors } from '../../../src/outbound/doors'

const ORIGIN = 'https://fortnox.example'
/** Apart from each other by so much, calls never meet the limit. */
const CALL_MS = 250

export const FORTNOX_OPERATOR = { ...FORTNOX_TEST_KEYS, consentOrigin: ORIGIN }

/** A stand-in whose company has agreed; `access` is a token that opens it. */
export function fortnoxWithAccess({ company = smallCompany('2026-06-15'), callMs = CALL_MS, now = FIXTURE_NOW } = {}): {
  emulator: FortnoxEmulator
  access: string
  doors: Doors
} {
  let at = now
  const emulator = createFortnox({ origin: ORIGIN, company, now: () => (at += callMs) })
  emulator.desk.agree(
    { account: FORTNOX_TENANT, scope: FORTNOX_SCOPES.join(' ') },
    { redirectUri: 'https://insikt.example/callback', challenge: null },
  )
  const access = emulator.desk.forAccount(FORTNOX_TENANT)?.access ?? ''
  const doors = emulatorDoors((request) => emulator.fetch(request), { api: ORIGIN, accounts: ORIGIN })
  return { emulator, access, doors }
}

export function fortnoxFixture(company?: VendorCompany): ConnectorFixture {
  const settings = { tenant: FORTNOX_TENANT, company: 'Nordviks' }
  // The first token of every stand-in is called the same.
  const { access } = fortnoxWithAccess(company ? { company } : {})
  return {
    connection: { settings, secrets: { accessToken: access, expiresAt: String(FIXTURE_NOW + 3_600_000) } },
    operator: FORTNOX_OPERATOR,
    doors: () => fortnoxWithAccess(company ? { company } : {}).doors,
    refused: { settings, secrets: { accessToken: 'access-that-is-wrong', expiresAt: String(FIXTURE_NOW + 3_600_000) } },
  }
}
