import { emulatorDoors } from './doors'
import { FIXTURE_NOW, type ConnectorFixture } from './fixture'
import { createSheets, SHEETS_FILE, type SheetsEmulator } from '../../../emulators/google-sheets/app.ts'
import { smallCompany, type VendorCompany } from '../../../emulators/vendors/company.ts'
import { SHEETS_TEST_KEYS } from '../../../emulators/vendors/test-keys.ts'
import { SHEETS_SCOPE } from '../../../src/connectors/google-sheets/sheets-access'
import type { Doors } from '../../../src/outbound/doors'

const ORIGIN = 'https://google.example'
const RETURN_TO = 'http://localhost/callback'
/** Apart from each other by so much, calls never meet the limit. */
const CALL_MS = 1_100

export const SHEETS_OPERATOR = { ...SHEETS_TEST_KEYS, consentOrigin: ORIGIN }

/** A stand-in whose person has agreed, and their tokens. */
export async function sheetsWithAccess({
  company = smallCompany('2026-06-15', { orders: 40 }),
  callMs = CALL_MS,
}: { company?: VendorCompany; callMs?: number } = {}): Promise<{
  emulator: SheetsEmulator
  secrets: Record<string, string>
  doors: Doors
}> {
  let at = FIXTURE_NOW
  const emulator = createSheets({ origin: ORIGIN, company, now: () => (at += callMs) })
  const grant = { account: 'karin@example.com', scope: SHEETS_SCOPE }
  const code = emulator.desk.agree(grant, { redirectUri: RETURN_TO, challenge: null })
  const issued = await emulator.desk.exchange({ code, redirectUri: RETURN_TO, verifier: null })
  const expiresAt = String(FIXTURE_NOW + 3_600_000)
  const secrets = { accessToken: issued?.access ?? '', refreshToken: issued?.refresh ?? '', expiresAt }
  const origins = { sheets: ORIGIN, drive: ORIGIN, token: ORIGIN }
  return { emulator, secrets, doors: emulatorDoors((request) => emulator.fetch(request), origins) }
}

export function sheetsFixture(): ConnectorFixture {
  const settings = { file: SHEETS_FILE }
  const expiresAt = String(FIXTURE_NOW + 3_600_000)
  return {
    // Every stand-in numbers its codes and tokens alike.
    connection: { settings, secrets: { accessToken: 'access-000002', refreshToken: 'refresh-000003', expiresAt } },
    operator: SHEETS_OPERATOR,
    doors: async () => (await sheetsWithAccess()).doors,
    refused: { settings, secrets: { accessToken: 'access-of-nobody', refreshToken: 'refresh-of-nobody', expiresAt } },
  }
}
