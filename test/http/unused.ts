import type { TestProject } from 'vitest/node'
import { stateFolder } from './server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated state folder, to be copied. */
    unused: string
  }
}

/** Migrates a database once for all files of a run. */
export default function prepare(project: TestProject): () => void {
  const { path, remove } = stateFolder()
  project.provide('unused', path)
  return remove
}
