import { emulatorDoors } from './doors'
import { FIXTURE_NOW, type ConnectorFixture } from './fixture'
import { createStripeData, type StripeDataEmulator } from '../../../emulators/stripe-data/app.ts'
import { smallCompany, type VendorCompany } from '../../../emulators/vendors/company.ts'
import { STRIPE_DATA_KEY } from '../../../emulators/vendors/test-keys.ts'
import type { Doors } from '../../../src/outbound/doors'

const ORIGIN = 'https://stripe.example'
/** Apart from each other by so much, calls never meet the limit. */
const CALL_MS = 60

export function stripeWithKey({
  company = smallCompany('2026-06-15'),
  callMs = CALL_MS,
  rights = {},
}: { company?: VendorCompany; callMs?: number; rights?: Record<string, string[]> } = {}): {
  emulator: StripeDataEmulator
  doors: Doors
} {
  let at = FIXTURE_NOW
  const emulator = createStripeData({ origin: ORIGIN, company, rights, now: () => (at += callMs) })
  return { emulator, doors: emulatorDoors((request) => emulator.fetch(request), { api: ORIGIN }) }
}

export const stripeFixture = (): ConnectorFixture => ({
  connection: { settings: {}, secrets: { key: STRIPE_DATA_KEY } },
  doors: () => stripeWithKey().doors,
  refused: { settings: {}, secrets: { key: 'rk_test_of_nobody' } },
})
