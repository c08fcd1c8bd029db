import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { savePolicy } from '../../../test/worker/access/guarded-workspace'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { createSource, loadFileInto, SETTINGS, uploadText, waitForRun } from '../../../test/worker/loads'
import type { CleaningStep } from '../../shared/data-sources/cleaning'
import type { DataSource } from '../../shared/data-sources/data-sources'
import type { ImportChoicesInput } from '../../shared/data-sources/import-choices'
import type { InspectUploadInput, UploadInspection } from '../../shared/data-sources/inspection'

const FILE = 'Kund;Belopp\nAlfa;1,50\nBeta;2,50\nSumma;4,00\n'
const NEXT = 'kund;BELOPP \nGamma;3,50\n'
const STEPS: CleaningStep[] = [{ kind: 'dropTotals' }]

async function inspect(me: SignedIn, text: string, input: InspectUploadInput = {}): Promise<UploadInspection> {
  const id = await uploadText(me, text)
  const answer = await me.fetch(`/api/uploads/${id}/inspect`, { method: 'POST', json: { remember: {}, ...input } })
  expect(answer.status).toBe(200)
  return answer.json<UploadInspection>()
}

interface Imported {
  name: string
  text?: string
  cleaning?: CleaningStep[]
  choices?: Omit<ImportChoicesInput, 'shape'>
  /** As a client that knows no step for it says it. */
  leaveOutTotals?: boolean
}

/** Imports a file into a new source, with what was decided. */
async function imported(me: SignedIn, { name, text = FILE, cleaning = [], ...more }: Imported): Promise<DataSource> {
  const uploadId = await uploadText(me, text)
  const found = await inspect(me, text, { cleaning })
  const table = {
    ...{ name, uploadId, columns: found.columns },
    settings: { ...found.settings, ...(more.leaveOutTotals ? { leaveOutTotals: true } : {}) },
    ...(cleaning.length > 0 ? { cleaning: { header: ['Kund', 'Belopp'], steps: cleaning } } : {}),
    ...(more.choices ? { choices: { shape: found.shape, ...more.choices } } : {}),
  }
  const source = await (await createSource(me, { name, tables: [table] })).json<DataSource>()
  expect(await waitForRun(me, source.lastRun?.id ?? '')).toMatchObject({ state: 'succeeded' })
  return source
}
const asText = (of: string): Omit<ImportChoicesInput, 'shape'> => ({ columns: [{ of, type: 'text' }] })

describe('choices of an import', () => {
  it('are offered for a file of the same headings and kind, those of the newest import, and none for another', async () => {
    const me = await signedIn()
    expect((await inspect(me, FILE)).remembered).toBeNull()
    await imported(me, { name: 'First', choices: asText('Kund') })
    await imported(me, { name: 'Second', choices: asText('Belopp'), cleaning: STEPS })
    expect((await inspect(me, NEXT)).remembered).toEqual({
      ...{ source: 'Second', table: 'Second', cleaning: STEPS },
      choices: {
        ...{ shape: (await inspect(me, FILE)).shape, omitted: [], settings: [], targets: [] },
        columns: [{ of: 'Belopp', type: 'text' }],
      },
    })
    expect((await inspect(me, 'Kund;Antal\nAlfa;1\n')).remembered).toBeNull()
    // Nobody asked.
    const id = await uploadText(me, NEXT)
    const answer = await me.fetch(`/api/uploads/${id}/inspect`, { method: 'POST', json: {} })
    expect((await answer.json<UploadInspection>()).remembered).toBeNull()
    await imported(me, { name: 'Third', choices: {} })
    expect((await inspect(me, NEXT)).remembered).toBeNull()
  })

  it('are not offered of data that rules of access hide or mask', async () => {
    const me = await signedIn()
    const ada = await signedIn({ workspaceId: me.workspaceId, role: 'analyst' })
    const source = await imported(me, { name: 'Secret', choices: asText('Kund'), cleaning: STEPS })
    expect((await inspect(ada, NEXT)).remembered).toMatchObject({ source: 'Secret' })
    const [dataset] = source.datasets
    const rule = {
      ...({ name: 'Rule', subject: { kind: 'member', id: ada.userId }, effect: 'hide', rows: 'all' } as const),
      ...{ filters: [], columns: [], active: true },
    }
    const ofDataset = { kind: 'dataset', id: dataset?.id ?? '' } as const
    const masked = { rows: 'unchanged', columns: [{ key: 'c0', grant: 'hash' }] } as const
    for (const each of [
      { ...rule, resource: { kind: 'source', id: source.id } as const },
      { ...rule, resource: ofDataset },
      { ...rule, ...masked, columns: [...masked.columns], resource: ofDataset },
    ]) {
      await savePolicy(me, { rules: [each] })
      expect((await inspect(ada, NEXT)).remembered).toBeNull()
      expect((await inspect(ada, NEXT, { remember: { dataset: dataset?.id ?? '' } })).remembered).toBeNull()
    }
    expect((await inspect(me, NEXT)).remembered).toMatchObject({ source: 'Secret' })
  })

  it('of a dataset are those of the rows that it shows, whatever the file', async () => {
    const me = await signedIn()
    const { datasets } = await imported(me, { name: 'Own', choices: asText('Kund') })
    await imported(me, { name: 'Other', choices: asText('Belopp') })
    const id = datasets[0]?.id ?? ''
    const asked = async () => (await inspect(me, 'Helt;annan\na;b\n', { remember: { dataset: id } })).remembered
    expect(await asked()).toMatchObject({ source: 'Own', choices: { columns: [{ of: 'Kund' }] } })
    const { columns, shape } = await inspect(me, FILE)
    const mapping = columns.map(({ index }) => ({ index, key: `c${index}` as const }))
    const settings = { ...SETTINGS, delimiter: ';' as const, decimalMark: ',' as const }
    const choices = { shape, columns: [{ of: 'Kund', label: 'Namn' }] }
    expect(await loadFileInto(me, id, { text: NEXT, columns, mapping, settings, choices })).toMatchObject({
      state: 'succeeded',
    })
    expect(await asked()).toMatchObject({ choices: { columns: [{ of: 'Kund', label: 'Namn' }] } })
    expect((await me.fetch(`/api/datasets/${id}/rollback`, { method: 'POST', json: { dataVersion: 1 } })).status).toBe(
      200,
    )
    expect(await asked()).toMatchObject({ choices: { columns: [{ of: 'Kund', type: 'text' }] } })
  })

  it('of an import that left totals out by the older setting are the step that does so now', async () => {
    const me = await signedIn()
    const { datasets } = await imported(me, { name: 'Older', leaveOutTotals: true })
    const { remembered } = await inspect(me, FILE, { remember: { dataset: datasets[0]?.id ?? '' } })
    expect(remembered).toEqual({ source: 'Older', table: 'Older', choices: null, cleaning: STEPS })
  })

  it('of another workspace and of a deleted source are offered to nobody', async () => {
    const [me, other] = [await signedIn(), await signedIn()]
    const source = await imported(me, { name: 'Mine', choices: asText('Kund') })
    const dataset = source.datasets[0]?.id ?? ''
    expect((await inspect(other, FILE)).remembered).toBeNull()
    expect((await inspect(other, FILE, { remember: { dataset } })).remembered).toBeNull()
    const gone = await me.fetch(`/api/data-sources/${source.id}?version=1`, { method: 'DELETE' })
    expect(gone.status).toBe(200)
    expect((await inspect(me, FILE)).remembered).toBeNull()
    expect((await inspect(me, FILE, { remember: { dataset } })).remembered).toBeNull()
  })

  it('are found by an index, however many imports there are', async () => {
    const { results } = await env.DB.prepare(
      `EXPLAIN QUERY PLAN SELECT id FROM runs r WHERE r.workspace_id = ?1 AND r.request ->> '$.choices.shape' = ?2
       ORDER BY r.started_at DESC`,
    )
      .bind('a', 'b')
      .all<{ detail: string }>()
    expect(results.map(({ detail }) => detail).join()).toContain('runs_by_shape')
  })
})
