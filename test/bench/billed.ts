import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Row } from './row.ts'

const counted = z.object({ written: z.number(), read: z.number() })
const billed = z.object({ rows: z.number(), loaded: counted, asked: counted })
const reportSchema = z.object({
  testResults: z.tuple([z.object({ assertionResults: z.tuple([z.object({ meta: z.object({ billed }) })]) })]),
})
const WRITTEN_MAX = 1_000
const READ_MAX = 500

/** K1: what the platform bills of an object's SQL, counted by its cursors in the runtime of the tests. */
export function billedTable(): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'insikt-billed-'))
  const report = join(folder, 'report.json')
  const args = ['run', '--project', 'worker', '--reporter=json', `--outputFile=${report}`]
  const env = { ...process.env, LONG: '1' }
  const { status } = spawnSync('vitest', [...args, 'src/warehouse/billed-rows.test.ts'], { stdio: 'inherit', env })
  if (status !== 0) throw new Error('rows that are billed could not be counted')
  const [file] = reportSchema.parse(JSON.parse(readFileSync(report, 'utf8'))).testResults
  rmSync(folder, { recursive: true })
  const { rows, loaded, asked } = file.assertionResults[0].meta.billed
  const row = (what: string, ours: number, max: number): Row => ({
    ...{ id: 'K1', what, ours: String(ours), reference: `${max} (goal)`, ratio: (ours / max).toFixed(2) },
  })
  return [
    row(`rows written by a load of ${rows} × 11`, loaded.written, WRITTEN_MAX),
    row('rows read by a first question over them', asked.read, READ_MAX),
  ]
}
