import { describe, expect, it } from 'vitest'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import {
  amountColumn,
  createLoadedSource,
  dayColumn,
  loadFileInto,
  readTotals,
  sameColumns,
  textColumn,
  waitForRun,
} from '../../../test/worker/loads'
import type { CleaningStep } from '../../shared/data-sources/cleaning'
import type { Dataset, DatasetCleaning, DatasetVersion, SyncRun } from '../../shared/data-sources/data-sources'
import type { QueryResult } from '../../shared/query/result'

const COLUMNS = [textColumn(0, 'Region'), dayColumn(1, 'Month'), { ...amountColumn(2, 'Value'), scale: 0 }]
/** Months in columns, names written once and in any case, a total below. */
const STEPS: CleaningStep[] = [
  { kind: 'dropTotals' },
  { kind: 'fillDown', columns: ['Region'] },
  { kind: 'case', columns: ['Region'], to: 'title' },
  {
    kind: 'unpivot',
    ...{ keep: ['Region'], leaveOut: [], nameColumn: 'Month', valueColumn: 'Value', dropEmpty: true },
  },
  { kind: 'parseDate', columns: ['Month'], writing: 'yearMonth' },
]
const UPPER = STEPS.map((step) => (step.kind === 'case' ? { ...step, to: 'upper' as const } : step))
const FIRST = 'Region,2026-01,2026-02\nnorth,10,20\nSouth,7,8\nTotal,17,28\n'
const LATER = 'Region,2026-02,2026-03\nNORTH,21,30\nWest,1,\nTotal,22,30\n'
const KEYS = ['c0', 'c1'] as const

const source = (me: SignedIn) =>
  createLoadedSource(me, FIRST, {
    columns: COLUMNS,
    cleaning: { header: ['Region', '2026-01', '2026-02'], steps: STEPS },
  })
const upsert = (me: SignedIn, id: string, { text = LATER, steps = STEPS } = {}): Promise<SyncRun> => {
  const header = (text.split('\n')[0] ?? '').split(',')
  const into = { columns: COLUMNS, mapping: sameColumns(COLUMNS), keyColumns: [...KEYS] }
  return loadFileInto(me, id, { text, mode: 'upsert', ...into, cleaning: { header, steps } })
}
async function restore(me: SignedIn, id: string, dataVersion: number): Promise<SyncRun> {
  const answer = await me.fetch(`/api/datasets/${id}/rollback`, { method: 'POST', json: { dataVersion } })
  expect([answer.status, await answer.clone().text()]).toEqual([200, expect.anything()])
  return waitForRun(me, (await answer.json<SyncRun>()).id)
}
const read = async <T>(me: SignedIn, path: string): Promise<T> => (await me.fetch(path)).json<T>()
const rowsOf = async (me: SignedIn, id: string): Promise<string[]> =>
  (await read<QueryResult>(me, `/api/datasets/${id}/preview`)).rows.map((row) => row.join(' ')).toSorted()

const BEFORE = ['North 2026-01-01 10', 'North 2026-02-01 20', 'South 2026-01-01 7', 'South 2026-02-01 8']
const AFTER = [
  ...['North 2026-01-01 10', 'North 2026-02-01 21', 'North 2026-03-01 30'],
  ...['South 2026-01-01 7', 'South 2026-02-01 8', 'West 2026-02-01 1'],
]

describe('a file that updates rows by a recipe', () => {
  it('finds them by keys as the recipe makes them, and adds the rest', async () => {
    const me = await signedIn()
    const { datasetId } = await source(me)
    expect(await upsert(me, datasetId)).toMatchObject({
      ...{ state: 'succeeded', rowsRead: 3, rowsWritten: 3, rowsUpdated: 1, rowsDuplicate: 0 },
    })
    expect(await rowsOf(me, datasetId)).toEqual(AFTER)
  })

  it('takes the last of several rows that a recipe gives one key, and counts the others', async () => {
    const me = await signedIn()
    const { datasetId } = await source(me)
    const text = 'Region,2026-02\nNORTH,1\n,2\nnorth,3\nSumma,6\n'
    expect(await upsert(me, datasetId, { text })).toMatchObject({
      ...{ state: 'succeeded', rowsRead: 3, rowsUpdated: 1, rowsDuplicate: 2 },
    })
    expect(await rowsOf(me, datasetId)).toEqual(BEFORE.map((row) => row.replace('02-01 20', '02-01 3')))
  })
})

describe('versions that were restored', () => {
  it('take the same file again, and are restored again, each with the recipe and rows it had', async () => {
    const me = await signedIn()
    const { datasetId } = await source(me)
    const recipe = async () => (await read<Dataset>(me, `/api/datasets/${datasetId}`)).cleaning
    expect(await upsert(me, datasetId, { steps: UPPER })).toMatchObject({ state: 'succeeded', rowsUpdated: 0 })
    const mixed = await rowsOf(me, datasetId)
    expect([await recipe(), mixed]).toEqual([
      UPPER,
      expect.arrayContaining(['North 2026-02-01 20', 'NORTH 2026-02-01 21']),
    ])
    expect(await restore(me, datasetId, 1)).toMatchObject({ state: 'succeeded', restoredVersion: 1 })
    expect([await recipe(), await rowsOf(me, datasetId)]).toEqual([STEPS, BEFORE])
    // The same bytes as of version 2, by the recipe of version 1: neither unchanged nor doubled.
    expect(await upsert(me, datasetId)).toMatchObject({ state: 'succeeded', rowsUpdated: 1 })
    expect(await rowsOf(me, datasetId)).toEqual(AFTER)
    expect(await restore(me, datasetId, 2)).toMatchObject({ state: 'succeeded', restoredVersion: 2 })
    expect([await recipe(), await rowsOf(me, datasetId)]).toEqual([UPPER, mixed])
    expect(await upsert(me, datasetId, { steps: UPPER })).toMatchObject({ rowsUpdated: 3 })
    expect(await restore(me, datasetId, 3)).toMatchObject({ state: 'succeeded', restoredVersion: 3 })
    expect([await recipe(), await rowsOf(me, datasetId)]).toEqual([STEPS, BEFORE])
    const cleaning = await read<DatasetCleaning>(me, `/api/datasets/${datasetId}/cleaning`)
    expect(cleaning).toMatchObject({ steps: STEPS, file: { name: 'sales.csv' } })
    expect(cleaning.effects.map(({ rowsOut }) => rowsOut)).toEqual([2, 2, 2, 4, 4])
    const versions = await read<DatasetVersion[]>(me, `/api/datasets/${datasetId}/versions`)
    const told = versions.map(({ dataVersion, restoredFrom, current }) => [dataVersion, restoredFrom, current])
    expect(told).toEqual([
      ...[
        [7, 3, true],
        [6, null, false],
        [5, 2, false],
        [4, null, false],
      ],
      ...[
        [3, 1, false],
        [2, null, false],
        [1, null, false],
      ],
    ])
    expect(await readTotals(me, datasetId, 'c2')).toEqual({ rows: 4, sum: 45 })
  })
})
