import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname } from 'node:path'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { listenLocally, stopServer } from '../local-server.ts'
import { isLoopback, refuseForeign } from '../loopback.ts'
import { createEmulator, type StripeEmulator } from './emulator.ts'
import { ConnectionClosed } from './errors.ts'

const SECRET_KEY = 'sk_test_emulator_of_this_machine'
const WEBHOOK_SECRET = 'whsec_emulator_of_this_machine'
const TICK_MS = 1_000

export interface StripeServer {
  /** Where it answers. */
  address: string
  /** Settings under which the product sells here. */
  settings: Record<string, string>
  stop: () => Promise<void>
}
export interface StripeServerOptions {
  /** 0 (or one that is taken) picks a free one. */
  port?: number
  /** Where its events go. */
  webhook: string
  /** JSON file that holds all it knows; null = it forgets. */
  file: string | null
}

/** The stand-in for Stripe on a port of this machine, with a clock that goes by itself. It ends with its process. */
export async function startStripe({ port = 0, webhook, file }: StripeServerOptions): Promise<StripeServer> {
  const server = createServer()
  const address = `http://127.0.0.1:${await listenLocally(server, port)}`
  const saved = file === null ? undefined : readIfThere(file)
  const emulator = createEmulator({
    origin: address,
    secretKey: SECRET_KEY,
    webhook: { url: webhook, secret: WEBHOOK_SECRET, send: (request) => fetch(request) },
    ...(saved === undefined ? {} : { saved }),
    ...(file === null ? {} : { save: (json: string) => writeAtomically(file, json) }),
  })
  const tick = serializedTick(emulator)
  const timer = setInterval(tick, TICK_MS)
  timer.unref()
  const listener = getRequestListener(
    async (request, env) => {
      const answer = await guarded(emulator, request, env)
      if (request.method !== 'GET') setImmediate(tick)
      return answer
    },
    { overrideGlobalObjects: false },
  )
  server.on('request', (request, response) => void listener(request, response))
  return {
    address,
    settings: {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_URL: address,
    },
    stop() {
      clearInterval(timer)
      return stopServer(server)
    },
  }
}

/** Answers nobody but this machine, and leads nowhere else. */
async function guarded(emulator: StripeEmulator, request: Request, env: unknown): Promise<Response> {
  const refused = refuseForeign(request)
  if (refused) return refused
  try {
    const answer = await emulator.fetch(request)
    const to = answer.headers.get('location')
    if (to === null || isLoopback(new URL(to, request.url).href)) return answer
    return new Response('This stand-in leads back to its own machine only.', { status: 400 })
  } catch (error) {
    if (!(error instanceof ConnectionClosed) || !hasSocket(env)) throw error
    env.incoming.socket.destroy()
    return RESPONSE_ALREADY_SENT
  }
}

const hasSocket = (env: unknown): env is HttpBindings => typeof env === 'object' && env !== null && 'incoming' in env

/** Does what is due; one more round when something came up meanwhile. */
function serializedTick(emulator: StripeEmulator): () => void {
  let running = false
  let again = false
  const run = async (): Promise<void> => {
    if (running) {
      again = true
      return
    }
    running = true
    do {
      again = false
      await emulator.tick().catch((error: unknown) => console.error('test billing', error))
    } while (again)
    running = false
  }
  return () => void run()
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Whole or not at all, whenever the machine stops. */
function writeAtomically(file: string, json: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, json)
  renameSync(`${file}.new`, file)
}
