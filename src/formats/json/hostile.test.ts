import { expect, it } from 'vitest'
import { jsonReader, ndjsonReader } from './json-reader'
import { openFile } from '../../../test/suites/open-file'
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

it('refuses objects in objects without end, also where each alone is longer than a record may be', async () => {
  const deep = `\n${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}`
  const opened = openFile(jsonReader, { name: 'x.json', bytes: encoder.encode(deep) }, 65_536)
  const error = await opened.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ProductError)
  expect(error).toMatchObject({ code: 'file_unreadable', details: { reason: 'unsafe', line: 2 } })
})
