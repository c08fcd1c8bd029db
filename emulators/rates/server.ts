import { createServer } from 'node:http'
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
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => resolve())
    })
  await listen(options.port ?? 0).catch(() => listen(0))
  // Who waits for something else may end: this server keeps nobody.
  server.unref()
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the stand-in has no port')
  return {
    settings: { RATES_URL: `http://127.0.0.1:${address.port}/stats/eurofxref/` },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
