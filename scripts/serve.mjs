// Serves the built Worker with everything embedded: D1, KV, R2, Durable Objects, Workflows and a cron tick.
// PORT=0 picks a port; STATE=<folder> keeps its data elsewhere; STATE=memory keeps none.
import './guard.mjs'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, extname, join, resolve } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { untilWell } from './health.mjs'
import { localSettings } from './local.mjs'
import { billingSettings, providerSettings, ratesSettings, vendorSettings } from './stand-ins.mjs'

const CRON_MS = 60_000
/** Below the ports that systems hand out by themselves, which begin at 32768. */
const FIRST_PORT = 20_000
const BLOCKS = 1_500
const TYPES = { '.js': 'ESModule', '.mjs': 'ESModule', '.wasm': 'CompiledWasm' }

// The channel closes when the starting process is gone: a test that was cut off leaves no server behind, not even one that
// has only begun.
let stop = () => process.exit(0)
for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(event, () => stop())

// As in production, where an isolate has 128 MB: what does not fit there is seen here, and garbage is not left lying.
process.env.MINIFLARE_WORKERD_V8_FLAGS ??= '--max-heap-size=128'

const { worker, main, externalWorkers } = await workerOptions(resolve('dist/insikt/wrangler.json'))
const root = dirname(main)
const files = readdirSync(root, { recursive: true }).map((file) => join(root, file))
const modules = [main, ...files.filter((path) => path !== main)].flatMap((path) => {
  const type = TYPES[extname(path)]
  return type ? [{ type, path }] : []
})
const asked = Number(process.env.PORT ?? 8787)
// Links in mails and sign-in elsewhere need to know the port before the server has one.
const port = asked === 0 ? await freePort() : asked
const state = process.env.STATE ?? '.wrangler/state/v3'
const bindings = {
  ...worker.bindings,
  BASE_URL: `http://localhost:${port}`,
  ...localSettings(),
  ...JSON.parse(process.env.SETTINGS ?? '{}'),
}
const billing = await billingSettings(bindings, { port, state })
const vendors = await vendorSettings(bindings, port)
Object.assign(bindings, await providerSettings(bindings, port), billing.settings, await ratesSettings(bindings, port))
Object.assign(bindings, vendors.settings)

const mf = new Miniflare(
  convertV4MiniflareOptions({
    host: '127.0.0.1',
    port,
    cf: false,
    unsafeTriggerHandlers: true,
    ...(state === 'memory' ? {} : { resourcePersistencePath: resolve(state) }),
    workers: [{ name: 'insikt', ...worker, bindings, modulesRoot: root, modules }, ...externalWorkers],
  }),
)
const address = await mf.ready
/** Where the server answers. */
export const url = `http://localhost:${address.port}`
const problem = await untilWell(url)
if (problem !== null) {
  console.error(`\n  Insikt does not run: ${problem}\n`)
  await mf.dispose()
  process.exit(1)
}
// Local servers do not fire cron triggers, so this one does. The runtime starts anew when it has run out of memory, and
// takes no calls meant for the one before: each tick asks for the one that is there.
const tick = setInterval(() => {
  mf.getWorker()
    .then((target) => target.scheduled({ cron: '* * * * *', scheduledTime: new Date() }))
    .catch((error) => console.error('cron', error))
}, CRON_MS)
tick.unref()

console.log(
  [
    `\n  Insikt is running: ${url}\n  Ctrl-C stops it; the data stays.`,
    ...(billing.address ? [`  Test billing, in which no money moves: ${billing.address}`] : []),
    ...(vendors.address
      ? [
          `  Test accounts of a made-up company at vendors: ${vendors.address} (key for Stripe: ${vendors.stripeKey}; token for any store of Shopify: ${vendors.shopifyToken})`,
          `  A PostgreSQL of a made-up shop: ${vendors.database}, database postgres, user reader, password reader-of-test`,
        ]
      : []),
    bindings.SMTP_HOST ? '' : `  Mails it sends are shown at ${url}/dev/mail\n`,
  ].join('\n'),
)

// Who started this server with a channel may write rows through it. A process that opened the file itself would lock the
// database, and whatever the server writes in that moment would fail.
process.on('message', ({ id, statements }) => {
  mf.getD1Database('DB')
    .then((db) => db.batch(statements.map((statement) => db.prepare(statement))))
    .then(
      () => process.send({ id, error: null }),
      (error) => process.send({ id, error: String(error) }),
    )
})

stop = () => {
  clearInterval(tick)
  void mf.dispose().then(() => process.exit(0))
}

/** What wrangler makes of the configuration of a build. It is asked once a build: loading it is a third of a start. */
async function workerOptions(config) {
  const kept = join(dirname(config), 'worker-options.json')
  if (!existsSync(kept)) {
    const { unstable_getMiniflareWorkerOptions } = await import('wrangler')
    const { workerOptions, main, externalWorkers } = unstable_getMiniflareWorkerOptions(config)
    const { modulesRules: _rules, ...worker } = workerOptions
    const written = `${kept}.${process.pid}`
    writeFileSync(written, JSON.stringify({ worker, main, externalWorkers }), { mode: 0o600 })
    renameSync(written, kept)
  }
  return JSON.parse(readFileSync(kept, 'utf8'))
}

/** The first of eight free ports: by the number of this process, so that no two that start at once take the same. */
async function freePort() {
  for (let at = process.pid; ; at++) {
    const first = FIRST_PORT + (at % BLOCKS) * 8
    if (await isFree(first)) return first
  }
}

function isFree(candidate) {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(candidate, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
