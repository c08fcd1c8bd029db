import { createServer } from 'node:http'

export const TURNSTILE_SITE_KEY = '1x00000000000000000000AA'
export const TURNSTILE_SECRET = 'secret-of-the-stand-in'
/** A token that begins like this is good once, as the widget's are. */
export const GOOD = 'good-'

export interface Asked {
  secret: string
  response: string
  remoteip?: string
}

export interface TurnstileStandIn {
  /** For `startServer(state, { settings })`. */
  settings: Record<string, string>
  asked: Asked[]
  stop: () => Promise<void>
}

/** Stands for the endpoint that verifies the tokens of the widget. */
export async function startTurnstile(): Promise<TurnstileStandIn> {
  const asked: Asked[] = []
  const spent = new Set<string>()
  const verdict = ({ secret, response }: Asked): string | null => {
    if (secret !== TURNSTILE_SECRET) return 'invalid-input-secret'
    if (!response.startsWith(GOOD)) return 'invalid-input-response'
    if (spent.has(response)) return 'timeout-or-duplicate'
    spent.add(response)
    return null
  }
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const ask: Asked = JSON.parse(Buffer.concat(pieces).toString())
      asked.push(ask)
      const fault = verdict(ask)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ success: fault === null, 'error-codes': fault === null ? [] : [fault] }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the stand-in has no port')
  return {
    settings: {
      TURNSTILE_SITE_KEY,
      TURNSTILE_SECRET,
      TURNSTILE_VERIFY_URL: `http://127.0.0.1:${address.port}/turnstile/v0/siteverify`,
    },
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
