import { emulatorDoors } from './doors'
import { FIXTURE_NOW, type ConnectorFixture } from './fixture'
import { createShopify, type ShopifyEmulator } from '../../../emulators/shopify/app.ts'
import { smallCompany, type VendorCompany } from '../../../emulators/vendors/company.ts'
import { SHOPIFY_TEST_KEYS } from '../../../emulators/vendors/test-keys.ts'
import type { Doors } from '../../../src/outbound/doors'

const ORIGIN = 'https://nordvik.myshopify.com'
/** Apart from each other by so much, calls never meet the limit of points. */
const CALL_MS = 10_000

export function shopifyStore({
  company = smallCompany('2026-06-15'),
  callMs = CALL_MS,
  scopes,
}: { company?: VendorCompany; callMs?: number; scopes?: readonly string[] } = {}): {
  emulator: ShopifyEmulator
  doors: Doors
} {
  let at = FIXTURE_NOW
  const emulator = createShopify({
    ...{ origin: ORIGIN, company, now: () => (at += callMs) },
    ...(scopes === undefined ? {} : { scopes }),
  })
  return { emulator, doors: emulatorDoors((request) => emulator.fetch(request)) }
}

const settings = { shop: 'nordvik.myshopify.com', access: 'app', clientId: SHOPIFY_TEST_KEYS.clientId }
export const shopifyFixture = (): ConnectorFixture => ({
  connection: { settings, secrets: { clientSecret: SHOPIFY_TEST_KEYS.clientSecret } },
  doors: () => shopifyStore().doors,
  refused: { settings, secrets: { clientSecret: 'secret-of-nobody' } },
})
