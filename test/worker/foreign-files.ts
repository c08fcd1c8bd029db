import { expect } from 'vitest'
import type { SignedIn } from './factories'
import { createSource, uploadText, waitForRun } from './loads'
import type { FileInspection } from '../../src/shared/data-sources/files'
import type { DataSource } from '../../src/shared/data-sources/data-sources'
import type { Relation } from '../../src/shared/relations'

async function answerOf<T>(answering: Promise<Response>): Promise<T> {
  const answer = await answering
  expect(answer.ok, `${answer.status} ${answer.ok ? '' : await answer.clone().text()}`).toBe(true)
  return answer.json<T>()
}

/** Files of somebody's business, loaded as they are inspected. Answers the dataset of each, by name. */
export async function loadForeignFiles(me: SignedIn, files: Readonly<Record<string, string>>) {
  const datasets = new Map<string, string>()
  for (const [name, text] of Object.entries(files)) {
    const uploadId = await uploadText(me, text, `${name}.csv`)
    const found = await answerOf<FileInspection>(
      me.fetch(`/api/uploads/${uploadId}/inspect`, { method: 'POST', json: {} }),
    )
    const table = { name, uploadId, settings: found.settings, columns: found.columns }
    const source = await answerOf<DataSource>(createSource(me, { name, tables: [table] }))
    expect(await waitForRun(me, source.lastRun?.id ?? '')).toMatchObject({ state: 'succeeded' })
    datasets.set(name, source.datasets[0]?.id ?? '')
  }
  return datasets
}

/** Confirms every relation that is proposed; answers them as "lines.OrderID → orders.OrderID". */
export async function confirmRelations(me: SignedIn): Promise<string[]> {
  const proposed = await answerOf<Relation[]>(me.fetch('/api/relations'))
  for (const { id, version } of proposed)
    await answerOf(me.fetch(`/api/relations/${id}`, { method: 'PUT', json: { state: 'confirmed', version } }))
  return proposed.map(({ from, to }) => `${from.datasetName}.${from.label} → ${to.datasetName}.${to.label}`)
}

export const askJson = <T>(me: SignedIn, path: string, json?: unknown): Promise<T> =>
  answerOf<T>(me.fetch(path, json === undefined ? {} : { method: 'POST', json }))
