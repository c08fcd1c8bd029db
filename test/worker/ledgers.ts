import { expect } from 'vitest'
import type { SignedIn } from './factories'
import { uploadBytes, waitForRun } from './loads'
import type { DataSource } from '../../src/shared/data-sources/data-sources'
import type { FileInspection, OpenedUpload, UploadTable } from '../../src/shared/data-sources/files'

/** The tables of a ledger's file. */
export async function openLedger(me: SignedIn, text: string): Promise<UploadTable[]> {
  const id = await uploadBytes(me, new TextEncoder().encode(text), 'books.se')
  const answer = await me.fetch(`/api/uploads/${id}/open`, { method: 'POST' })
  expect(answer.status).toBe(200)
  return (await answer.json<OpenedUpload>()).tables
}
export const inspectTable = async (me: SignedIn, { uploadId }: UploadTable): Promise<FileInspection> =>
  (await me.fetch(`/api/uploads/${uploadId}/inspect`, { method: 'POST', json: {} })).json<FileInspection>()

/** A source of all tables of a SIE file, loaded. */
export async function createLedger(me: SignedIn, text: string): Promise<DataSource> {
  const tables = await openLedger(me, text)
  const input = await Promise.all(
    tables.map(async (table) => {
      const { settings, columns } = await inspectTable(me, table)
      return { name: table.name, uploadId: table.uploadId, settings, columns }
    }),
  )
  const answer = await me.fetch('/api/data-sources', { method: 'POST', json: { name: 'Books', tables: input } })
  expect([answer.status, await answer.clone().text()]).toEqual([201, expect.anything()])
  const source = await answer.json<DataSource>()
  for (const { id } of source.lastRuns) expect(await waitForRun(me, id)).toMatchObject({ state: 'succeeded' })
  return source
}
