import { z } from 'zod'
import { askStore, MissingScopeError } from './shopify-calls'
import { readList } from './shopify-pages'
import { SHOPIFY_LISTS, pageQuery, type ShopifyList } from './shopify-streams'
import { issueToken, shopifyRenewal } from './shopify-token'
import { SourceError, type Connector, type ConnectorContext } from '../contract'
import { declared } from '../records'
import type { ConnectorDescription, SourceStream } from '../../shared/data-sources/connectors'

const SHOP = /^[a-z0-9][a-z0-9-]{0,100}\.myshopify\.com$/

const DESCRIPTION: ConnectorDescription = {
  kind: 'shopify',
  title: 'Shopify',
  summary: 'Orders, their lines, refunds, products and customers of a store',
  group: 'sales',
  auth: 'secrets',
  fields: [
    {
      ...{ key: 'shop', label: 'Store address', control: 'text', required: true, secret: false, maxLength: 120 },
      ...{ placeholder: 'your-store.myshopify.com', isTarget: true },
    },
    {
      ...{ key: 'access', label: 'Sign in with', control: 'choice', required: true, secret: false, initial: 'app' },
      options: [
        { value: 'app', label: 'Client ID and secret' },
        { value: 'token', label: 'Access token' },
      ],
    },
    {
      ...{ key: 'clientId', label: 'Client ID', control: 'text', required: true, secret: false, maxLength: 200 },
      ...{ hint: 'Of an app of your own, installed in the store.', when: { field: 'access', is: 'app' } },
    },
    {
      ...{ key: 'clientSecret', label: 'Client secret', control: 'password', required: true, secret: true },
      ...{ maxLength: 300, hint: 'Dev Dashboard: Apps, Settings.', when: { field: 'access', is: 'app' } },
    },
    {
      ...{ key: 'token', label: 'Admin API access token', control: 'password', required: true, secret: true },
      ...{ maxLength: 300, placeholder: 'shpat_…', when: { field: 'access', is: 'token' } },
    },
  ],
  reads: [
    'Orders with their lines and refunds, as far back as the app may see',
    'Products, variants and customers, where the app may',
    'After the first sync, only what changed',
  ],
  never: ['Changes anything in the store', 'Reads addresses, phone numbers or card numbers'],
  delivery: 'pull',
}

/** Whether the app may read a list. */
async function mayRead(context: ConnectorContext, list: ShopifyList): Promise<boolean> {
  try {
    await askStore(context, pageQuery(list, false), { first: 1, after: null, query: null, parts: 1 })
    return true
  } catch (error) {
    if (error instanceof MissingScopeError) return false
    throw error
  }
}

async function readableLists(context: ConnectorContext): Promise<ShopifyList[]> {
  const readable = await Promise.all(SHOPIFY_LISTS.map((list) => mayRead(context, list)))
  return SHOPIFY_LISTS.filter((_list, at) => readable[at] === true)
}

const streamOf = ({ key, label, columns, root }: ShopifyList): SourceStream => ({
  ...{ key, label, columns: declared(columns), keyColumns: ['id'] },
  incrementalColumn: columns.some(({ name }) => name === 'updated') ? 'updated' : 'created',
  modes: ['upsert', 'replace'],
  proposed: root !== 'productVariants',
})

const shopSchema = z.object({
  shop: z.object({ name: z.string() }),
  app: z.object({ accessScopes: z.array(z.object({ handle: z.string() })) }).nullish(),
})
const ABOUT = 'query About { shop { name } app: currentAppInstallation { accessScopes { handle } } }'

/** One token for all calls of a test, which are made before any is stored. */
async function withToken(context: ConnectorContext): Promise<ConnectorContext> {
  const { connection } = context
  const { clientSecret } = connection.secrets
  if (clientSecret === undefined) return context
  const issued = await issueToken(context)
  return {
    ...context,
    connection: { ...connection, secrets: { ...connection.secrets, ...issued, issuedFor: clientSecret } },
  }
}

function warningsOf(scopes: readonly string[], missing: readonly string[]): string[] {
  const writes = scopes.some((scope) => scope.startsWith('write_'))
  return [
    ...(writes ? ['The app may change the store. Read scopes are enough.'] : []),
    ...(missing.length > 0 ? [`The app can’t read: ${missing.join(', ')}.`] : []),
    ...(scopes.includes('read_all_orders')
      ? []
      : ['Only orders of the last 60 days are seen without read_all_orders.']),
  ]
}

export const shopifyConnector: Connector = {
  describe: () => DESCRIPTION,
  renewal: shopifyRenewal,

  check(settings) {
    return SHOP.test(settings['shop'] ?? '') ? {} : { shop: 'Enter an address such as your-store.myshopify.com' }
  },

  async test(given) {
    const context = await withToken(given)
    const parsed = shopSchema.safeParse((await askStore(context, ABOUT, {})).data)
    const readable = await readableLists(context)
    if (readable.length === 0)
      throw new SourceError('auth', {
        message: 'The app has no read scopes.',
        mend: 'Give it read_orders and read_products in Shopify.',
      })
    const missing = SHOPIFY_LISTS.filter((list) => !readable.includes(list)).map(({ label }) => label)
    const scopes = parsed.data?.app?.accessScopes.map(({ handle }) => handle) ?? []
    return { ...(parsed.success ? { account: parsed.data.shop.name } : {}), warnings: warningsOf(scopes, missing) }
  },

  async discover(given) {
    const context = await withToken(given)
    return (await readableLists(context)).map(streamOf)
  },

  read(context, request) {
    const list = SHOPIFY_LISTS.find(({ key }) => key === request.stream.key)
    if (list) return readList(context, list, request)
    throw new SourceError('drift', { message: 'This stream no longer exists.', mend: 'Remove it from the source.' })
  },
}
