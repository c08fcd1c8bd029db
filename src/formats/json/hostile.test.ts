import { expect, it } from 'vitest'
import { jsonReader, ndjsonReader } from './json-reader'
import { openFile } from '../../../test/suites/open-file'
import type { FormatReader } from '../contract'
import { ProductError } from '../../shared/errors'

const encoder = new TextEncoder()

it('steps into what holds many values in few signs, and refuses records that do', async () => {
  const items = (item: string, count: number): string => Array.from({ length: count }, () => item).join(',')
  const bytes = (text: string) => ({ name: 'x.json', bytes: encoder.encode(text) })
  const stepped = await openFile(jsonReader, bytes(`{"a":1,"l":[${items('[1]', 400_000)}]}`), 65_536)
  expect(stepped.tables.map(({ rows }) => rows.length)).toContain(400_000)
  const dense = `{"a":1,"l":[${items('[]', 600_000)}]}\n`
  const refused = openFile(ndjsonReader, { name: 'x.ndjson', bytes: encoder.encode(`{"a":1}\n${dense}`) }, 65_536)
  await expect(refused).rejects.toMatchObject({ code: 'file_unreadable', details: { reason: 'unsafe', line: 2 } })
})

/** A file of one object, how often it is read, and the rows of its tables. */
async function readingsOf(text: string): Promise<{ readings: number; rows: number[] }> {
  let readings = 0
  const counted: FormatReader = {
    ...jsonReader,
    open: (source, sink) => {
      const stream = (): ReturnType<typeof source.stream> => {
        readings++
        return source.stream()
      }
      return jsonReader.open(
        { fileName: source.fileName, size: source.size, read: (offset, length) => source.read(offset, length), stream },
        sink,
      )
    },
  }
  const { tables } = await openFile(counted, { name: 'x.json', bytes: encoder.encode(text) }, 256 * 1024)
  return { readings, rows: tables.map(({ rows }) => rows.length).filter((rows) => rows > 1) }
}
const membersOf = (count: number, member: string): string =>
  `{${Array.from({ length: count }, (_, at) => `"m${at}":${member}`).join(',')}}`

it('reads rows that are lists as often as other rows, however many they are', async () => {
  const text = `{"data":[${Array.from({ length: 440_000 }, (_, n) => `[${n},1]`).join(',')}]}`
  expect(await readingsOf(text)).toEqual({ readings: 2, rows: [440_000] })
})

it.each([
  ['dense lists', 40_000, '[1]'],
  ['texts', 1_000, `"${'x'.repeat(400)}"`],
])('reads members that are too much only together once more, not once for each: %s', async (_what, count, item) => {
  const list = `[${Array.from({ length: count }, () => item).join(',')}]`
  const { readings, rows } = await readingsOf(membersOf(12, list))
  expect(readings).toBe(3)
  expect(rows.every((one) => one === count)).toBe(true)
  expect(await refusalOf(membersOf(60, list))).toMatchObject({ details: { reason: 'unsafe' } })
})

const refusalOf = (text: string): Promise<unknown> =>
  readingsOf(text).then(
    () => null,
    (error: unknown) => error,
  )

it('refuses objects in objects without end, also where each alone is longer than a record may be', async () => {
  const deep = `\n${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}`
  const opened = openFile(jsonReader, { name: 'x.json', bytes: encoder.encode(deep) }, 65_536)
  const error = await opened.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ProductError)
  expect(error).toMatchObject({ code: 'file_unreadable', details: { reason: 'unsafe', line: 2 } })
})
