import { describe, it } from 'vitest'

/** The Worker and the client are compiled without the types of Node. */
declare const process: { env: Record<string, string | undefined> }

/** Whether this is the long run: `npm run test:long` sets LONG=1, which the Worker has as a binding. */
export const LONG = process.env['LONG'] === '1'

/** A test of the long run only; the short run counts it as skipped. CONTRIBUTING.md says what belongs there. */
export const itLong: ReturnType<typeof it.runIf> = it.runIf(LONG)

/** Tests of the long run only. */
export const describeLong: ReturnType<typeof describe.runIf> = describe.runIf(LONG)

/** All cases in the long run; in the short one those that stand for the others. */
export const casesOf = <T>(all: readonly T[], ...short: readonly T[]): readonly T[] => (LONG ? all : short)
