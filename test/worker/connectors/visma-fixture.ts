import { emulatorDoors } from './doors'
import { FIXTURE_NOW, type ConnectorFixture } from './fixture'
import { createVisma, VISMA_ACCOUNT, type VismaEmulator } from '../../../emulators/visma/app.ts'
import { smallCompany, type VendorCompany } from '../../../emulators/vendors/company.ts'
import { VISMA_TEST_KEYS } from '../../../emulators/vendors/test-keys.ts'
import { VISMA_SCOPE } from '../../../src/connectors/visma/visma-access'
import type { Doors } from '../../../src/outbound/doors'

const ORIGIN = 'https://visma.example'
const RETURN_TO = 'http://localhost/callback'
/** Apart from each other by so much, calls never meet the limit. */
const CALL_MS = 120
const HOUR_MS = 3_600_000

export const VISMA_OPERATOR = { ...VISMA_TEST_KEYS, consentOrigin: ORIGIN }

/** A stand-in whose company has agreed, and its tokens. */
export async function vismaWithAccess({
  company = smallCompany('2026-06-15'),
  callMs = CALL_MS,
}: { company?: VendorCompany; callMs?: number } = {}): Promise<{
  emulator: VismaEmulator
  secrets: Record<string, string>
  doors: Doors
}> {
  let at = FIXTURE_NOW
  const emulator = createVisma({ origin: ORIGIN, company, now: () => (at += callMs) })
  const grant = { account: VISMA_ACCOUNT, scope: VISMA_SCOPE }
  const code = emulator.desk.agree(grant, { redirectUri: RETURN_TO, challenge: null })
  const issued = await emulator.desk.exchange({ code, redirectUri: RETURN_TO, verifier: null })
  const expiresAt = String(FIXTURE_NOW + HOUR_MS)
  const secrets = { accessToken: issued?.access ?? '', refreshToken: issued?.refresh ?? '', expiresAt }
  const doors = emulatorDoors((request) => emulator.fetch(request), { api: ORIGIN, identity: ORIGIN })
  return { emulator, secrets, doors }
}

export function vismaFixture(): ConnectorFixture {
  const expiresAt = String(FIXTURE_NOW + HOUR_MS)
  const settings = { company: 'Nordviks' }
  return {
    // Every stand-in numbers its codes and tokens alike.
    connection: { settings, secrets: { accessToken: 'access-000002', refreshToken: 'refresh-000003', expiresAt } },
    operator: VISMA_OPERATOR,
    doors: async () => (await vismaWithAccess()).doors,
    refused: { settings, secrets: { accessToken: 'access-of-nobody', refreshToken: 'refresh-of-nobody', expiresAt } },
  }
}
