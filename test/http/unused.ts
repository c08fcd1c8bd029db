import type { TestProject } from 'vitest/node'
import { unusedState } from './server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated state folder, to be copied. */
    unused: string
  }
}

/** Migrates a database once for all files of a run. */
export default function migrateTemplateDatabase(project: TestProject): void {
  project.provide('unused', unusedState())
}
