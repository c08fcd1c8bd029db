// Brings the catalogue of the product (src/shared) into an account of Stripe, or into its stand-in.
import Stripe from 'stripe'
import { runnerImport } from 'vite'

/** Makes products and prices what the catalogue says; answers what was made, replaced and revived. Safe to run twice. */
export async function syncPriceList(settings) {
  const { module } = await runnerImport('/src/features/billing/price-list.ts', { configFile: false, logLevel: 'error' })
  const { hostname, port, protocol } = new URL(settings.STRIPE_API_URL ?? 'https://api.stripe.com')
  const stripe = new Stripe(settings.STRIPE_SECRET_KEY, {
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    ...(port === '' ? {} : { port: Number(port) }),
    telemetry: false,
  })
  return module.syncPriceList(stripe)
}
