import { createServer } from 'node:http'
import { listenLocally, stopServer } from '../local-server.ts'

export const TURNSTILE_SITE_KEY = '1x00000000000000000000AA'
export const TURNSTILE_SECRET = 'secret-of-the-stand-in'
/** A token that begins like this is good once, as the widget's are. */
export const GOOD_TOKEN_PREFIX = 'good-'

export interface VerifyRequest {
  secret: string
  response: string
  remoteip?: string
}

export interface TurnstileServer {
  /** For `startServer(state, { settings })`. */
  settings: Record<string, string>
  asked: VerifyRequest[]
  stop: () => Promise<void>
}

/** Stands for the endpoint that verifies the tokens of the widget. */
export async function startTurnstile(): Promise<TurnstileServer> {
  const asked: VerifyRequest[] = []
  const spent = new Set<string>()
  const verdict = ({ secret, response }: VerifyRequest): string | null => {
    if (secret !== TURNSTILE_SECRET) return 'invalid-input-secret'
    if (!response.startsWith(GOOD_TOKEN_PREFIX)) return 'invalid-input-response'
    if (spent.has(response)) return 'timeout-or-duplicate'
    spent.add(response)
    return null
  }
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const ask: VerifyRequest = JSON.parse(Buffer.concat(pieces).toString())
      asked.push(ask)
      const fault = verdict(ask)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ success: fault === null, 'error-codes': fault === null ? [] : [fault] }))
    })
  })
  const port = await listenLocally(server)
  return {
    settings: {
      TURNSTILE_SITE_KEY,
      TURNSTILE_SECRET,
      TURNSTILE_VERIFY_URL: `http://127.0.0.1:${port}/turnstile/v0/siteverify`,
    },
    asked,
    stop: () => stopServer(server),
  }
}
