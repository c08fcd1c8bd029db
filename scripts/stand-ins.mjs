// Stands in for Google, Microsoft, Stripe, the European Central Bank and vendors of bookkeeping and sales on a person's own machine, where no keys of the real ones are set.
import { join, resolve } from 'node:path'

const isLocal = (settings) => /^(1|true)$/.test(settings.LOCAL_MODE ?? '')

/**
 * Starts the stand-in beside a local server, on the next port; it ends with this process. Answers the settings under
 * which the server signs people in there, or none.
 */
export async function providerSettings(settings, port) {
  if (settings.GOOGLE_CLIENT_ID || settings.MICROSOFT_CLIENT_ID || !isLocal(settings)) return {}
  const { startOidc } = await import('../emulators/oidc/server.ts')
  return (await startOidc({ port: port + 1 })).settings
}

/**
 * Starts test billing on the port after that, with the price list in it; `state` is the folder of the server's data, or
 * `memory`. Answers the settings under which the server sells there and the address, or neither.
 */
export async function billingSettings(settings, { port, state }) {
  if (settings.STRIPE_SECRET_KEY || !isLocal(settings)) return { settings: {}, address: null }
  const [{ startStripe }, { syncPriceList }] = await Promise.all([
    import('../emulators/stripe/server.ts'),
    import('./price-list.mjs'),
  ])
  const billing = await startStripe({
    port: port + 2,
    webhook: `http://localhost:${port}/api/stripe/webhook`,
    file: state === 'memory' ? null : join(resolve(state), 'billing.json'),
  })
  await syncPriceList(billing.settings)
  // Questions to sales are mails, too: read them where all mails are shown.
  const SALES_EMAIL = settings.SALES_EMAIL || 'sales@example.com'
  return { ...billing, settings: { SALES_EMAIL, ...billing.settings } }
}

/** Starts made-up exchange rates on the port after that. Answers the settings under which the server fetches them, or none. */
export async function ratesSettings(settings, port) {
  if (settings.RATES_URL || !isLocal(settings)) return {}
  const { startRates } = await import('../emulators/rates/server.ts')
  return (await startRates({ port: port + 3 })).settings
}

/**
 * Starts the vendors whose data can be connected, with a made-up company, on the port after that. Answers the settings
 * under which the server connects to those that have no keys of their own, and the address, or neither.
 */
export async function vendorSettings(settings, port) {
  if (!isLocal(settings)) return { settings: {}, address: null, stripeKey: null, shopifyToken: null, database: null }
  const { startVendors } = await import('../emulators/vendors/server.ts')
  const vendors = await startVendors({ port: port + 4 })
  const { settings: all, address, stripeKey, shopifyToken, databasePort } = vendors
  const hasKeys = (name) => settings[`${name.split('_')[0]}_CLIENT_ID`]
  const own = Object.entries(all).filter(([name]) => !hasKeys(name) && !settings[name])
  return { settings: Object.fromEntries(own), address, stripeKey, shopifyToken, database: `localhost:${databasePort}` }
}
