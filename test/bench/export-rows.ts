import { watchMemory } from './memory.ts'
import { MB, type Row } from './row.ts'
import type { Person } from '../http/person.ts'
import type { Column } from '../../src/shared/data-sources/data-sources.ts'
import type { ExportAnswerInput } from '../../src/shared/query/export-answer.ts'

interface Orders {
  dataset: string
  columns: Pick<Column, 'key' | 'label'>[]
  rows: number
  pid: number
}

/** Reads a file to its end and lets go of it at once. */
async function download(person: Person, input: ExportAnswerInput): Promise<{ bytes: number; lines: number }> {
  const answer = await person.send('POST', '/api/query/export', JSON.stringify(input))
  if (!answer.ok || !answer.body) throw new Error(`no export: ${answer.status} ${await answer.text()}`)
  let [bytes, lines] = [0, 0]
  for await (const chunk of answer.body) {
    bytes += chunk.length
    for (const byte of chunk) if (byte === 10) lines += 1
  }
  return { bytes, lines }
}

/** X1: every row of a dataset as a file: how long it takes, and how far memory grows meanwhile. */
export async function exportRows(person: Person, at: Orders): Promise<Row[]> {
  const measured: Row[] = []
  for (const format of ['csv', 'xlsx'] as const)
    for (const sorted of [false, true]) {
      const memory = watchMemory(at.pid)
      const started = performance.now()
      const { bytes, lines } = await download(person, {
        plan: {
          ...{ v: 1, kind: 'rows', dataset: at.dataset, measures: [], dimensions: [], filters: [] },
          columns: at.columns.map(({ key }) => ({ dataset: at.dataset, column: key })),
        },
        view: { sort: sorted ? { column: 1, dir: 'desc' } : null, filters: [] },
        ...{ name: 'Orders', format, percent: [] },
      })
      const seconds = (performance.now() - started) / 1000
      const growth = memory.stop()
      if (format === 'csv' && lines !== at.rows + 1) throw new Error(`${lines} lines instead of ${at.rows + 1}`)
      measured.push({
        id: format === 'csv' ? 'X1' : 'X2',
        what: `${format.toUpperCase()} of ${at.rows} × ${at.columns.length}${sorted ? ', sorted' : ''}, ${Math.round(bytes / MB)} MB: rows/s; growth of memory ${Math.round(growth / MB)} MB`,
        ours: `${Math.round(at.rows / seconds / 1000)} k rows/s`,
        reference: `${seconds.toFixed(1)} s`,
        ratio: '–',
        better: 'higher',
      })
    }
  return measured
}
