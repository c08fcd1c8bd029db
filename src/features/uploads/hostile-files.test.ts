import { describe, expect, it } from 'vitest'
import { itLong } from '../../../test/long'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { createSource, waitForRun, newTable, textColumn, uploadBytes } from '../../../test/worker/loads'
import { bytesOf, zipOf } from '../../../test/worker/zip'
import type { FileInspection, OpenedUpload } from '../../shared/data-sources/files'
import { CELL_MAX_BYTES, DATASET_MAX_COLUMNS, SOURCE_MAX_DATASETS } from '../../shared/limits'
import type { QueryResult } from '../../shared/query/result'
import type { DataSource } from '../../shared/data-sources/data-sources'

const post = (me: SignedIn, path: string) => me.fetch(path, { method: 'POST', json: {} })
const openFile = async (me: SignedIn, bytes: Uint8Array | string, name: string) =>
  post(me, `/api/uploads/${await uploadBytes(me, bytesOf(bytes), name)}/open`)

/** A file through the whole path: opened, each table inspected, created, loaded, its first rows looked at. */
async function through(me: SignedIn, bytes: Uint8Array | string, name: string): Promise<QueryResult[]> {
  const opening = await openFile(me, bytes, name)
  expect([opening.status, await opening.clone().text()]).toEqual([200, expect.anything()])
  const { tables } = await opening.json<OpenedUpload>()
  const input = []
  for (const { uploadId, name: label } of tables) {
    const found = await (await post(me, `/api/uploads/${uploadId}/inspect`)).json<FileInspection>()
    input.push({ name: label, uploadId, settings: found.settings, columns: found.columns })
  }
  const answer = await createSource(me, { name, tables: input })
  expect([answer.status, await answer.clone().text()]).toEqual([201, expect.anything()])
  const source = await answer.json<DataSource>()
  for (const { id } of source.lastRuns)
    expect(await waitForRun(me, id)).toMatchObject({ state: 'succeeded', error: null })
  const previews = source.datasets.map(async ({ id }) =>
    (await me.fetch(`/api/datasets/${id}/preview`)).json<QueryResult>(),
  )
  return Promise.all(previews)
}

/** What a polluted prototype would show on any object. */
const polluted = (): unknown[] => {
  const plain: Record<string, unknown> = {}
  return [plain['polluted'], plain['x'], [].length, Object.keys(plain).length]
}

describe('names that mean something to the language (POLL-1)', () => {
  const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__']
  const expected = [undefined, undefined, 0, 0]

  it('are plain headings of a text', async () => {
    const me = await signedIn()
    const [rows] = await through(me, `${NAMES.join(',')}\n${NAMES.map((_, at) => `v${at}`).join(',')}\n`, 'names.csv')
    expect(rows?.columns.map(({ label }) => label)).toEqual(NAMES)
    expect(rows?.rows).toEqual([NAMES.map((_, at) => `v${at}`)])
    expect(polluted()).toEqual(expected)
  })

  it('are plain keys of JSON, nested too', async () => {
    const me = await signedIn()
    const keys = NAMES.map((name, at) => `"${name}":{"polluted":"p${at}","x":${at}}`).join(',')
    const text = `{${keys},"__proto__.x":1}\n{"constructor":{"prototype":{"polluted":true}},"lines":[{"__proto__":7}]}\n`
    const [rows] = await through(me, text, 'names.ndjson')
    const labels = rows?.columns.map(({ label }) => label) ?? []
    for (const name of NAMES) expect(labels).toContain(`${name}.polluted`)
    expect(polluted()).toEqual(expected)
  })

  it('are plain names of files and of tables', async () => {
    const me = await signedIn()
    const files = NAMES.map((name) => ({ name: `${name}.csv`, bytes: 'a,b\n1,2\n' }))
    const answer = await (await openFile(me, await zipOf(files), '__proto__')).json<OpenedUpload>()
    expect(answer.tables.map(({ name }) => name)).toEqual(NAMES)
    expect(polluted()).toEqual(expected)
  })
})

describe('large things (BIG-1)', () => {
  const wide = (columns: number) => {
    const names = Array.from({ length: columns }, (_, at) => `n${at}`)
    return {
      csv: `${names.join(',')}\n${names.map((_, at) => at).join(',')}\n`,
      json: JSON.stringify([Object.fromEntries(names.map((name) => [name, 1]))]),
    }
  }

  itLong('holds 100, 101 and 450 columns of JSON, and shows the first hundred', async () => {
    const me = await signedIn()
    for (const columns of [100, 101, 450])
      expect((await through(me, wide(columns).json, `wide ${columns}.json`))[0]?.columns.length).toBe(100)
  })

  it('holds 500 columns, and refuses 501 by name, of a text and of JSON', async () => {
    const me = await signedIn()
    expect((await through(me, wide(DATASET_MAX_COLUMNS).csv, 'wide.csv'))[0]?.columns.length).toBe(100)
    for (const [bytes, name] of [
      [wide(DATASET_MAX_COLUMNS + 1).csv, 'a.csv'],
      [wide(DATASET_MAX_COLUMNS + 1).json, 'a.json'],
    ] as const) {
      const answer = await openFile(me, bytes, name)
      expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'too_large', what: 'columns' }])
    }
  })

  it('refuses a cell of 2 MB with its line, of a text and of JSON', async () => {
    const me = await signedIn()
    const long = 'x'.repeat(2_000_000)
    for (const [bytes, name] of [
      [`a,b\n1,2\n3,${long}\n`, 'a.csv'],
      [`{"a":1}\n{"a":2}\n{"a":"${long}"}\n`, 'a.ndjson'],
    ] as const) {
      const answer = await openFile(me, bytes, name)
      const body = await answer.json<{ message: string }>()
      expect([answer.status, body]).toMatchObject([422, { code: 'file_unreadable', line: 3 }])
      expect(body.message).toContain(`${CELL_MAX_BYTES / 1024} KB`)
    }
  })

  itLong('takes a source of twenty tables of a hundred columns in one call', async () => {
    const me = await signedIn()
    const labels = Array.from({ length: 100 }, (_, at) => `A heading of ordinary length, number ${at}`)
    const uploadId = await uploadBytes(
      me,
      bytesOf(`${labels.map((label) => `"${label}"`).join(',')}\n${labels.map(() => 'x').join(',')}\n`),
      'wide.csv',
    )
    const columns = labels.map((label, at) => textColumn(at, label))
    const tables = Array.from({ length: SOURCE_MAX_DATASETS }, (_, at) =>
      newTable(uploadId, { name: `T${at}`, columns }),
    )
    const answer = await createSource(me, { name: 'Wide', tables })
    expect(answer.status).toBe(201)
    const source = await answer.json<DataSource>()
    for (const { id } of source.lastRuns) expect((await waitForRun(me, id)).state).toBe('succeeded')
  })
})
