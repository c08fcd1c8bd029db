import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type * as allVendors from './all-vendors.ts'
import { listenLocally, stopServer } from '../local-server.ts'
import { refuseForeign } from '../loopback.ts'
import { postgresSimRoutes } from '../postgres/sim-routes.ts'
import { startPostgres } from '../postgres/server.ts'
import { createTestFiles } from '../files/test-files.ts'
import {
  FORTNOX_TEST_KEYS,
  SHEETS_TEST_KEYS,
  SHOPIFY_TEST_TOKEN,
  STRIPE_DATA_KEY,
  VISMA_TEST_KEYS,
} from './test-keys.ts'

type AnswerVendors = (request: Request) => Promise<Response | null>

/**
 * All vendors, made when one is called first: their company comes of the product's own generator, which Node does not read by
 * itself, and takes a moment.
 */
function vendorsAt(origin: string): AnswerVendors {
  let made: Promise<AnswerVendors> | null = null
  const make = async (): Promise<AnswerVendors> => {
    const { runnerImport } = await import('vite')
    const options = { configFile: false, logLevel: 'error' } as const
    const { module } = await runnerImport<typeof allVendors>('/emulators/vendors/all-vendors.ts', options)
    const vendors = module.createVendors({ origin, today: new Date().toISOString().slice(0, 10) })
    return (request) => module.answerVendor(vendors, request)
  }
  return async (request) => (await (made ??= make()))(request)
}

/**
 * Stands for the vendors whose data can be connected, on a port of this machine; it ends with its process.
 * What only a stand-in can do is at `/_sim/{vendor}/…`. A PostgreSQL is on the next port, files and a bucket beside the vendors.
 * @param options `port`: 0 (or one that is taken) picks a free one
 */
export async function startVendors(options: { port?: number } = {}): Promise<{
  address: string
  /** Of the PostgreSQL. */
  databasePort: number
  /** What is entered for Stripe, which has no consent. */
  stripeKey: string
  /** What is entered for Shopify, of any store. */
  shopifyToken: string
  /** Settings under which the product connects to them. */
  settings: Record<string, string>
  stop: () => Promise<void>
}> {
  const server = createServer()
  const port = await listenLocally(server, options.port)
  const address = `http://127.0.0.1:${port}`
  const database = await startPostgres({ port: options.port === undefined ? 0 : options.port + 1 })
  const simulated = postgresSimRoutes(database)
  const files = createTestFiles()
  const made = vendorsAt(address)
  const vendors: AnswerVendors = async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/_sim/postgres/')) return simulated.fetch(request)
    return (await files(request)) ?? made(request)
  }
  const listener = getRequestListener((request) => answer(request, vendors), { overrideGlobalObjects: false })
  server.on('request', (request, response) => void listener(request, response))
  return {
    address,
    databasePort: database.port,
    stripeKey: STRIPE_DATA_KEY,
    shopifyToken: SHOPIFY_TEST_TOKEN,
    settings: {
      ...settingsOf(address),
      // What a person enters of this machine is let through only where it is listed.
      TEST_ALLOWED_TARGETS: ['127.0.0.1', 'localhost']
        .flatMap((host) => [`${host}:${port}`, `${host}:${database.port}`])
        .join(','),
    },
    async stop() {
      await database.stop()
      await stopServer(server)
    },
  }
}

const answer = async (request: Request, vendors: AnswerVendors): Promise<Response> =>
  refuseForeign(request) ?? (await vendors(request)) ?? new Response('No stand-in is here.', { status: 404 })

const settingsOf = (address: string): Record<string, string> => ({
  FORTNOX_CLIENT_ID: FORTNOX_TEST_KEYS.clientId,
  FORTNOX_CLIENT_SECRET: FORTNOX_TEST_KEYS.clientSecret,
  FORTNOX_API_URL: address,
  FORTNOX_ACCOUNTS_URL: address,
  STRIPE_SOURCE_URL: address,
  SHOPIFY_SOURCE_URL: address,
  VISMA_CLIENT_ID: VISMA_TEST_KEYS.clientId,
  VISMA_CLIENT_SECRET: VISMA_TEST_KEYS.clientSecret,
  VISMA_API_URL: address,
  VISMA_IDENTITY_URL: address,
  SHEETS_CLIENT_ID: SHEETS_TEST_KEYS.clientId,
  SHEETS_CLIENT_SECRET: SHEETS_TEST_KEYS.clientSecret,
  SHEETS_API_URL: address,
  SHEETS_DRIVE_URL: address,
  SHEETS_TOKEN_URL: address,
  SHEETS_CONSENT_URL: address,
})
