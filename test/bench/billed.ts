import { spawnSync } from 'node:child_process'
import { z } from 'zod'
import type { Row } from './row.ts'

const counted = z.object({ written: z.number(), read: z.number() })
const billedSchema = z.object({ rows: z.number(), loaded: counted, asked: counted })
const WRITTEN_MAX = 1_000
const READ_MAX = 500

/** K1: what the platform bills of an object's SQL, counted by its cursors in the runtime of the tests. */
export function billedTable(): Row[] {
  const args = ['run', '--project', 'worker', '--silent=false', 'src/warehouse/billed-rows.test.ts']
  const { stdout, status } = spawnSync('vitest', args, { encoding: 'utf8', env: { ...process.env, LONG: '1' } })
  const line = /billed (\{.*\})/.exec(stdout)?.[1]
  if (status !== 0 || line === undefined) throw new Error(`rows that are billed could not be counted:\n${stdout}`)
  const { rows, loaded, asked } = billedSchema.parse(JSON.parse(line))
  const row = (what: string, ours: number, max: number): Row => ({
    ...{ id: 'K1', what, ours: String(ours), reference: `${max} (goal)`, ratio: (ours / max).toFixed(2) },
  })
  return [
    row(`rows written by a load of ${rows} × 11`, loaded.written, WRITTEN_MAX),
    row('rows read by a first question over them', asked.read, READ_MAX),
  ]
}
