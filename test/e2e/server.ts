import type { TestProject } from 'vitest/node'
import { startServer, stateFolder, unusedState } from '../http/server.ts'
import '../http/unused.ts'

declare module 'vitest' {
  interface ProvidedContext {
    address: string
  }
}

/** Serves the production build over an empty state folder, for all journeys of a run. */
export default async function serve(project: TestProject): Promise<() => Promise<void>> {
  const unused = unusedState()
  const state = stateFolder(unused)
  const server = await startServer(state.path)
  project.provide('address', server.address)
  project.provide('unused', unused)
  return async () => {
    await server.stop()
    state.remove()
  }
}
