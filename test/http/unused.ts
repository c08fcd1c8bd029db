import type { TestProject } from 'vitest/node'
import { createStateDirectory } from './server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated state folder, to be copied. */
    unused: string
  }
}

/** Migrates a database once for all files of a run. */
export default function migrateTemplateDatabase(project: TestProject): () => void {
  const { path, remove } = createStateDirectory()
  project.provide('unused', path)
  return remove
}
