import type { Settings } from '../settings'

/** Keys and addresses of a vendor, as the registry hands them to its connector. */
interface VendorKeys {
  keys: Readonly<Record<string, string>>
  origins: Readonly<Record<string, string>>
}

/** Null where the installation has no app at Fortnox. */
export function fortnoxOperator(settings: Settings): VendorKeys | null {
  const { FORTNOX_CLIENT_ID: clientId, FORTNOX_CLIENT_SECRET: clientSecret } = settings
  if (clientId === undefined || clientSecret === undefined) return null
  const { FORTNOX_API_URL: api, FORTNOX_ACCOUNTS_URL: accounts } = settings
  return { keys: { clientId, clientSecret, consentOrigin: accounts }, origins: { api, accounts } }
}

/** Stripe as the person's own account: their key opens it, and none of ours. */
export const stripeOperator = ({ STRIPE_SOURCE_URL: api }: Settings): VendorKeys => ({ keys: {}, origins: { api } })

/** Null where the installation has no app at Google for spreadsheets. */
export function sheetsOperator(settings: Settings): VendorKeys | null {
  const { SHEETS_CLIENT_ID: clientId, SHEETS_CLIENT_SECRET: clientSecret } = settings
  if (clientId === undefined || clientSecret === undefined) return null
  const { SHEETS_API_URL: sheets, SHEETS_DRIVE_URL: drive, SHEETS_TOKEN_URL: token } = settings
  return {
    keys: { clientId, clientSecret, consentOrigin: settings.SHEETS_CONSENT_URL },
    origins: { sheets, drive, token },
  }
}

/** Null where the installation has no app at Visma. */
export function vismaOperator(settings: Settings): VendorKeys | null {
  const { VISMA_CLIENT_ID: clientId, VISMA_CLIENT_SECRET: clientSecret } = settings
  if (clientId === undefined || clientSecret === undefined) return null
  const { VISMA_API_URL: api, VISMA_IDENTITY_URL: identity } = settings
  return { keys: { clientId, clientSecret, consentOrigin: identity }, origins: { api, identity } }
}

/** A store of Shopify is called at its own address with its own keys; in local mode a stand-in answers for all stores. */
export const shopifyOperator = ({ SHOPIFY_SOURCE_URL: standIn }: Settings): VendorKeys =>
  standIn === undefined ? { keys: {}, origins: {} } : { keys: { standIn: '1' }, origins: { standIn } }
