import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { otherWorkspace, signedIn, type SignedIn } from '../../../test/worker/factories'
import {
  amountColumn,
  createLoadedSource,
  createSource,
  dayColumn,
  readTotals,
  SETTINGS,
  sourceInput,
  startLoad,
  textColumn,
  uploadText,
  waitForRun,
} from '../../../test/worker/loads'
import type { CleaningStep } from '../../shared/data-sources/cleaning'
import type {
  CreateLoadInput,
  Dataset,
  DatasetCleaning,
  DatasetVersion,
  ReopenedFile,
  SyncRun,
} from '../../shared/data-sources/data-sources'
import type { UploadInspection } from '../../shared/data-sources/inspection'
import type { QueryResult } from '../../shared/query/result'

/** Sales by region with months in columns, group names written once, and a total row. */
const WIDE = `Region,Product,2026-01,2026-02,Total
north,Chair,10,20,30
,Table,5,,5
South,Chair,7,8,15
Total,,22,28,50
`
const STEPS: CleaningStep[] = [
  { kind: 'dropRows', column: 'Region', when: 'startsWith', value: 'Total' },
  { kind: 'fillDown', columns: ['Region'] },
  { kind: 'case', columns: ['Region'], to: 'title' },
  {
    kind: 'unpivot',
    ...{ keep: ['Region', 'Product'], leaveOut: ['Total'], nameColumn: 'Month', valueColumn: 'Value', dropEmpty: true },
  },
  { kind: 'parseDate', columns: ['Month'], writing: 'yearMonth' },
]
const HEADER = ['Region', 'Product', '2026-01', '2026-02', 'Total']
const COLUMNS = [
  textColumn(0, 'Region'),
  textColumn(1, 'Product'),
  dayColumn(2, 'Month'),
  { ...amountColumn(3, 'Value'), scale: 0 },
]
const MAPPING = COLUMNS.map(({ index }) => ({ index, key: `c${index}` as const }))

const inspect = async (me: SignedIn, uploadId: string, cleaning?: CleaningStep[]) => {
  const answer = await me.fetch(`/api/uploads/${uploadId}/inspect`, {
    method: 'POST',
    json: cleaning ? { cleaning } : {},
  })
  expect(answer.status).toBe(200)
  return answer.json<UploadInspection>()
}
const read = async <T>(me: SignedIn, path: string): Promise<T> => {
  const answer = await me.fetch(path)
  expect(answer.status).toBe(200)
  return answer.json<T>()
}
const rowsOf = async (me: SignedIn, id: string) => (await read<QueryResult>(me, `/api/datasets/${id}/preview`)).rows
const cleaningOf = (me: SignedIn, id: string) => read<DatasetCleaning>(me, `/api/datasets/${id}/cleaning`)
const wideSource = (me: SignedIn) =>
  createLoadedSource(me, WIDE, { columns: COLUMNS, cleaning: { header: HEADER, steps: STEPS } })
const loadText = async (me: SignedIn, id: string, text: string, more: Partial<CreateLoadInput>) => {
  const uploadId = await uploadText(me, text)
  const input = { uploadId, mode: 'append' as const, settings: SETTINGS, columns: COLUMNS, mapping: MAPPING, ...more }
  const answer = await startLoad(me, id, input)
  expect([answer.status, await answer.clone().text()]).toEqual([201, expect.anything()])
  return waitForRun(me, (await answer.json<SyncRun>()).id)
}

describe('a file that is cleaned', () => {
  it('is shown before and after its steps, typed as it comes out, with what each step does', async () => {
    const me = await signedIn()
    const uploadId = await uploadText(me, WIDE, 'sales.csv')
    const found = await inspect(me, uploadId, STEPS)
    expect(found.columns.map(({ label, type }) => [label, type])).toEqual([
      ['Region', 'text'],
      ['Product', 'text'],
      ['Month', 'date'],
      ['Value', 'integer'],
    ])
    expect(found.rows).toEqual({ count: 5, exact: true })
    expect(found.preview[2]).toEqual(['North', 'Table', '2026-01-01', '5'])
    const { effects, columns, before, problem, exact } = found.cleaning
    expect(effects.map(({ rowsIn, rowsOut, cellsChanged }) => [rowsIn, rowsOut, cellsChanged])).toEqual([
      [4, 3, 0],
      [3, 3, 1],
      [3, 3, 2],
      [3, 5, 0],
      [5, 5, 5],
    ])
    expect([columns[0], columns.at(-1), before.length, problem, exact]).toEqual([
      HEADER,
      ['Region', 'Product', 'Month', 'Value'],
      4,
      null,
      true,
    ])
    const broken = await inspect(me, uploadId, [
      { kind: 'trim', columns: [], inner: true },
      { kind: 'fillDown', columns: ['Gone'] },
    ])
    expect(broken.cleaning).toMatchObject({
      problem: { step: 1, message: 'Column “Gone” not found.' },
      columns: [HEADER, HEADER],
    })
  })

  it('offers the steps that it calls for, and no longer once they are taken', async () => {
    const me = await signedIn()
    const uploadId = await uploadText(me, WIDE, 'sales.csv')
    const { suggestions } = (await inspect(me, uploadId)).cleaning
    expect(suggestions.map(({ steps, effect }) => [steps.map(({ kind }) => kind).join(), effect])).toEqual([
      ['dropTotals', { kind: 'removeRows', rows: 1 }],
      ['unpivot,parseDate', { kind: 'turnColumns', period: 'Month', columns: 2, rows: 4, into: 7 }],
    ])
    const steps = suggestions.flatMap((suggestion) => suggestion.steps)
    expect((await inspect(me, uploadId, steps)).cleaning).toMatchObject({ problem: null, suggestions: [] })
  })

  it('is loaded by its recipe, which stays with the table, and names the step that a later file lacks a column for', async () => {
    const me = await signedIn()
    const { datasetId, run } = await wideSource(me)
    expect(run).toMatchObject({ state: 'succeeded', rowsRead: 5, rowsWritten: 5, rowsRejected: 0 })
    expect(await rowsOf(me, datasetId)).toEqual([
      ['North', 'Chair', '2026-01-01', 10],
      ['North', 'Chair', '2026-02-01', 20],
      ['North', 'Table', '2026-01-01', 5],
      ['South', 'Chair', '2026-01-01', 7],
      ['South', 'Chair', '2026-02-01', 8],
    ])
    const cleaning = await cleaningOf(me, datasetId)
    expect(cleaning).toMatchObject({ steps: STEPS, file: { name: 'sales.csv' } })
    expect(cleaning.effects.map(({ rowsOut }) => rowsOut)).toEqual([3, 3, 3, 5, 5])
    const uploadId = await uploadText(me, 'Region,2026-03\nWest,1\n')
    const input = { uploadId, mode: 'append' as const, settings: SETTINGS, columns: COLUMNS, mapping: MAPPING }
    const lost = await startLoad(me, datasetId, { ...input, cleaning: { header: ['Region', '2026-03'], steps: STEPS } })
    expect(lost.status).toBe(422)
    expect(await lost.text()).toContain(
      'Step 4 (Unpivot columns into “Month” and “Value”): Column “Product” not found.',
    )
    const silent = await startLoad(me, datasetId, input)
    expect(silent.status).toBe(422)
    expect(await readTotals(me, datasetId, 'c3')).toEqual({ rows: 5, sum: 50 })
  })

  it('is appended, replaced and rolled back, each version by its own recipe', async () => {
    const me = await signedIn()
    const { datasetId } = await wideSource(me)
    const later = 'Region,Product,2026-03,Total\nwest,Chair,100,100\n'
    await loadText(me, datasetId, later, {
      cleaning: { header: ['Region', 'Product', '2026-03', 'Total'], steps: STEPS },
    })
    expect(await readTotals(me, datasetId, 'c3')).toEqual({ rows: 6, sum: 150 })
    expect((await cleaningOf(me, datasetId)).file).toBeNull()
    const upper = STEPS.map((step) => (step.kind === 'case' ? { ...step, to: 'upper' as const } : step))
    await loadText(me, datasetId, WIDE, { mode: 'replace', cleaning: { header: HEADER, steps: upper } })
    expect((await rowsOf(me, datasetId))[0]?.[0]).toBe('NORTH')
    const versions = await read<DatasetVersion[]>(me, `/api/datasets/${datasetId}/versions`)
    expect(versions.map(({ cleaning }) => cleaning)).toEqual([upper, STEPS, STEPS])
    const back = await me.fetch(`/api/datasets/${datasetId}/rollback`, { method: 'POST', json: { dataVersion: 1 } })
    expect(await waitForRun(me, (await back.json<SyncRun>()).id)).toMatchObject({ state: 'succeeded' })
    expect((await rowsOf(me, datasetId))[0]?.[0]).toBe('North')
    expect(await read<Dataset>(me, `/api/datasets/${datasetId}`)).toMatchObject({ cleaning: STEPS, rowCount: 5 })
    expect(await cleaningOf(me, datasetId)).toMatchObject({ steps: STEPS, file: { name: 'sales.csv' } })
    const { results } = await env.DB.prepare('SELECT action FROM audit WHERE entity_id = ? ORDER BY rowid')
      .bind(datasetId)
      .all<{ action: string }>()
    expect(results.filter(({ action }) => action === 'dataset.clean')).toHaveLength(1)
  })

  it('is opened again from the stored file, once, with the settings it was read with', async () => {
    const me = await signedIn()
    const { datasetId } = await wideSource(me)
    await env.DB.prepare('UPDATE uploads SET expires_at = 1 WHERE workspace_id = ?').bind(me.workspaceId).run()
    const reopen = () => me.fetch(`/api/datasets/${datasetId}/reopen`, { method: 'POST' })
    const first = await reopen()
    expect(first.status).toBe(201)
    const file = await first.json<ReopenedFile>()
    expect(file).toMatchObject({ fileName: 'sales.csv', size: WIDE.length, settings: SETTINGS })
    expect((await (await reopen()).json<ReopenedFile>()).uploadId).toBe(file.uploadId)
    expect((await inspect(me, file.uploadId, [])).columns.map(({ label }) => label)).toEqual(HEADER)
    const plain = HEADER.map((label, index) => textColumn(index, label))
    const mapping = [0, 1].map((index) => ({ index, key: `c${index}` as const }))
    const answer = await startLoad(me, datasetId, {
      ...{ uploadId: file.uploadId, mode: 'replace', settings: SETTINGS, columns: plain, mapping },
      cleaning: { header: HEADER, steps: [] },
    })
    expect(await waitForRun(me, (await answer.json<SyncRun>()).id)).toMatchObject({ state: 'succeeded', rowsRead: 4 })
    expect(await cleaningOf(me, datasetId)).toMatchObject({ steps: [], effects: [] })
    const foreign = await (await otherWorkspace()).fetch(`/api/datasets/${datasetId}/reopen`, { method: 'POST' })
    expect(foreign.status).toBe(404)
    await loadText(me, datasetId, WIDE, { mode: 'append', columns: plain, mapping: [{ index: 0, key: 'c0' }] })
    expect((await reopen()).status).toBe(400)
  })

  it('says that a recipe leaves no rows, and keeps the old ones', async () => {
    const me = await signedIn()
    const { datasetId } = await wideSource(me)
    const steps: CleaningStep[] = [
      { kind: 'dropRows', column: 'Region', when: 'isNot', value: 'nowhere' },
      ...STEPS.slice(1),
    ]
    const run = await loadText(me, datasetId, WIDE, { mode: 'replace', cleaning: { header: HEADER, steps } })
    expect(run).toMatchObject({ state: 'failed', error: { message: 'The cleaning steps leave no rows.' } })
    expect(await readTotals(me, datasetId, 'c3')).toEqual({ rows: 5, sum: 50 })
    expect(await read<Dataset>(me, `/api/datasets/${datasetId}`)).toMatchObject({ cleaning: STEPS })
  })

  it('lists every rejected row, also where one line of the file has many of them and a page ends among them', async () => {
    const me = await signedIn()
    const header = ['Region', ...Array.from({ length: 30 }, (_, at) => `C${at}`)]
    const lines = Array.from({ length: 210 }, (_, n) =>
      ['North', ...header.slice(1).map(() => (n % 6 === 0 ? 'x' : n))].join(','),
    )
    const steps: CleaningStep[] = [
      { kind: 'unpivot', keep: ['Region'], leaveOut: [], nameColumn: 'Name', valueColumn: 'Value', dropEmpty: true },
    ]
    const columns = [textColumn(0, 'Region'), textColumn(1, 'Name'), amountColumn(2, 'Value')]
    const cleaning = { header, steps }
    const { run } = await createLoadedSource(me, `${header.join(',')}\n${lines.join('\n')}`, { columns, cleaning })
    expect(run).toMatchObject({ state: 'succeeded', rowsRead: 6300, rowsRejected: 1050 })
    const file = await me.fetch(`/files/runs/${run.id}/rejects?w=${me.workspaceId}`)
    const listed = (await file.text()).trim().split('\n').slice(1)
    expect(listed).toHaveLength(1050)
    expect(new Set(listed).size).toBe(1050)
  })

  it('is refused with a step that is none, or columns that its steps do not leave', async () => {
    const me = await signedIn()
    const uploadId = await uploadText(me, WIDE)
    const bad = await me.fetch(`/api/uploads/${uploadId}/inspect`, {
      method: 'POST',
      json: { cleaning: [{ kind: 'sort' }] },
    })
    expect(bad.status).toBe(422)
    const columns = [...COLUMNS, textColumn(4, 'Total')]
    const answer = await createSource(
      me,
      sourceInput(uploadId, { columns, cleaning: { header: HEADER, steps: STEPS } }),
    )
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain('The cleaning steps leave no such column.')
  })
})
