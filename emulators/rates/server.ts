import { createServer } from 'node:http'
import { listenLocally, stopServer } from '../local-server.ts'
import { ratesFile } from './rate-files.ts'

/** Stands for the European Central Bank's files of rates on a person's own machine; its rates are made up. */
export async function startRates(options: { port?: number } = {}): Promise<{
  settings: { RATES_URL: string }
  stop: () => Promise<void>
}> {
  const server = createServer((request, response) => {
    const name = (request.url ?? '').split('/').at(-1) ?? ''
    const file = request.method === 'GET' ? ratesFile(name, Date.now()) : null
    if (file === null) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'application/xml' }).end(file)
  })
  const port = await listenLocally(server, options.port)
  return {
    settings: { RATES_URL: `http://127.0.0.1:${port}/stats/eurofxref/` },
    stop: () => stopServer(server),
  }
}
