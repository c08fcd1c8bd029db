import { describe, expect, it } from 'vitest'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { createSource, waitForRun, readTotals, uploadText } from '../../../test/worker/loads'
import type { CsvSettings, FileInspection } from '../../shared/data-sources/files'
import type { DataSource } from '../../shared/data-sources/data-sources'

const SALES = 'Butik;Antal;Belopp\nLund;1;100,00\nYstad;2;50,50\nSumma;3;150,50\n'

async function inspected(me: SignedIn, id: string, settings: Partial<CsvSettings>): Promise<FileInspection> {
  const answer = await me.fetch(`/api/uploads/${id}/inspect`, { method: 'POST', json: { settings } })
  expect(answer.status).toBe(200)
  return answer.json<FileInspection>()
}
async function sumOf(me: SignedIn, settings: Partial<CsvSettings>): Promise<unknown> {
  const uploadId = await uploadText(me, SALES)
  const found = await inspected(me, uploadId, settings)
  const table = { name: 'Sales', uploadId, settings: found.settings, columns: found.columns }
  const source = await (await createSource(me, { name: `Sales ${uploadId}`, tables: [table] })).json<DataSource>()
  expect(await waitForRun(me, source.lastRun?.id ?? '')).toMatchObject({ state: 'succeeded' })
  return readTotals(me, source.datasets[0]?.id ?? '', 'c2')
}

describe('rows that are totals', () => {
  it('count like others until they are left out, and then no load sees them', async () => {
    const me = await signedIn()
    expect(await sumOf(me, {})).toEqual({ rows: 3, sum: 301 })
    expect(await sumOf(me, { leaveOutTotals: true })).toEqual({ rows: 2, sum: 150.5 })
    expect(await sumOf(me, { leaveOutTotals: false })).toEqual({ rows: 3, sum: 301 })
  })
})
