import { createFortnox } from '../fortnox/app.ts'
import { createSheets } from '../google-sheets/app.ts'
import { createShopify } from '../shopify/app.ts'
import { createStripeData } from '../stripe-data/app.ts'
import { createVisma } from '../visma/app.ts'
import { vendorCompany } from './company.ts'

export interface Vendor {
  name: string
  /** Paths that are the vendor's. */
  paths: RegExp
  fetch: (request: Request) => Promise<Response>
}

/** All vendors of the made-up company, whose books end on a day (ISO). */
export function createVendors({ origin, today }: { origin: string; today: string }): Vendor[] {
  const company = vendorCompany(today)
  const options = { origin, company }
  return [
    { name: 'fortnox', paths: /^\/(3|oauth-v1)\//, fetch: createFortnox(options).fetch },
    { name: 'google-sheets', paths: /^\/(v4|drive|o|token)(\/|$)/, fetch: createSheets(options).fetch },
    { name: 'visma', paths: /^\/(v2|connect)\//, fetch: createVisma(options).fetch },
    { name: 'shopify', paths: /^\/admin\//, fetch: createShopify(options).fetch },
    { name: 'stripe', paths: /^\/v1\//, fetch: createStripeData(options).fetch },
  ]
}

/** The vendor that a request is for; of `/_sim/{vendor}/…`, what only a stand-in can do. Null = of none. */
export async function answerVendor(vendors: readonly Vendor[], request: Request): Promise<Response | null> {
  const { pathname } = new URL(request.url)
  const [, simulated, rest] = /^\/_sim\/([a-z-]+)(\/.*)$/.exec(pathname) ?? []
  if (simulated === undefined) return vendors.find(({ paths }) => paths.test(pathname))?.fetch(request) ?? null
  const vendor = vendors.find(({ name }) => name === simulated)
  return vendor?.fetch(new Request(new URL(`/_sim${rest}`, request.url), request)) ?? null
}
