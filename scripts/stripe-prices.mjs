// npm run stripe:prices: makes products and prices of the Stripe account behind STRIPE_SECRET_KEY (environment, else
// .dev.vars) what the catalogue says, by lookup keys. Safe to run twice: the second time there is nothing to do.
import './guard.mjs'
import { localSettings } from './local.mjs'
import { syncPriceList } from './price-list.mjs'

const named = ['STRIPE_SECRET_KEY', 'STRIPE_API_URL'].filter((name) => process.env[name])
const settings = { ...localSettings(), ...Object.fromEntries(named.map((name) => [name, process.env[name]])) }
if (!settings.STRIPE_SECRET_KEY) {
  console.error('Set STRIPE_SECRET_KEY to a key of your account: STRIPE_SECRET_KEY=sk_… npm run stripe:prices')
  process.exit(2)
}
const mode = /^[rs]k_test_/.test(settings.STRIPE_SECRET_KEY) ? 'test mode' : 'LIVE mode'
try {
  const { products, prices } = await syncPriceList(settings)
  const lines = [
    ['Products made', products.made],
    ['Products changed', products.changed],
    ['Prices made', prices.made],
    ['Prices replaced: the amount changed', prices.replaced],
    ['Prices put on sale again', prices.revived],
  ].filter(([, keys]) => keys.length > 0)
  console.log(`Price list of the account (${mode}):`)
  for (const [what, keys] of lines) console.log(`  ${what} (${keys.length}): ${keys.join(', ')}`)
  if (lines.length === 0) console.log('  Nothing to do: it is as the catalogue says.')
} catch (error) {
  console.error(`The price list could not be brought in. ${error.message}`)
  process.exit(1)
}
