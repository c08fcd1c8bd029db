import type { TestProject } from 'vitest/node'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { startServer, createStateDirectory, unusedState, type RunningServer } from '../http/server.ts'
import '../http/unused.ts'

declare module 'vitest' {
  interface ProvidedContext {
    address: string
    /** Where statements are sent to be written into the database of the server. */
    writer: string
  }
}

/** Serves the production build over an empty state folder, for all journeys of a run. */
export default async function serve(project: TestProject): Promise<() => Promise<void>> {
  const unused = unusedState()
  const state = createStateDirectory(unused)
  const server = await startServer(state.path)
  const writer = await startWriter(server.write)
  project.provide('address', server.address)
  project.provide('writer', writer.address)
  project.provide('unused', unused)
  return async () => {
    writer.stop()
    await server.stop()
    state.remove()
  }
}

const statementsSchema = z.array(z.string())

/** Takes statements from the processes of the journeys: the channel to the server is this one's. */
async function startWriter(write: RunningServer['write']): Promise<{ address: string; stop: () => void }> {
  const writer = createServer((request, response) => {
    void text(request)
      .then((body) => write(...statementsSchema.parse(JSON.parse(body))))
      .then(
        () => response.end(),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
  })
  await new Promise<void>((listening) => writer.listen(0, '127.0.0.1', listening))
  const at = writer.address()
  if (at === null || typeof at === 'string') throw new Error('the writer has no port')
  return { address: `http://127.0.0.1:${at.port}`, stop: () => void writer.close() }
}
