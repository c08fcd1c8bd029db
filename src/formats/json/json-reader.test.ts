import { describe, expect, it } from 'vitest'
import { labelsOf, openFile, recordsOf, type CollectedTable } from '../../../test/suites/open-file'
import { ProductError } from '../../shared/errors'
import { jsonReader, ndjsonReader } from './json-reader'

const encoder = new TextEncoder()
function nth(tables: CollectedTable[], index: number): CollectedTable {
  const table = tables[index]
  if (!table) throw new Error(`there is no table ${index}`)
  return table
}
const open = (text: string | Uint8Array, name = 'orders.json', pieces = 7) =>
  openFile(jsonReader, { name, bytes: typeof text === 'string' ? encoder.encode(text) : text }, pieces)
const hint = (
  table: { hints: { label?: string | undefined; type?: string | undefined }[] } | undefined,
  label: string,
) => table?.hints.find((known) => known.label === label)?.type
async function refusal(text: string): Promise<{ code: string; line: unknown; message: string }> {
  const error = await open(text).catch((thrown: unknown) => thrown)
  if (!(error instanceof ProductError)) throw new Error('was not refused')
  return { code: error.code, line: error.details['line'], message: error.message }
}

describe('shapes', () => {
  it('reads a list of records: the union of their keys in the order of the file', async () => {
    const { tables } = await open('[{"id":1,"name":"A"},\n {"id":2,"city":"Umeå"}]')
    expect(tables.map(({ name }) => name)).toEqual(['orders'])
    expect(recordsOf(nth(tables, 0))).toEqual([
      { id: '1', name: 'A', city: null },
      { id: '2', name: null, city: 'Umeå' },
    ])
    expect(nth(tables, 0).lines).toEqual([1, 2])
  })

  it.each([
    ['LF', '{"a":1}\n{"a":2}\n'],
    ['CRLF', '{"a":1}\r\n{"a":2}\r\n'],
    ['blank lines', '\n{"a":1}\n\n  \n{"a":2}'],
    ['a byte order mark', '\ufeff{"a":1}\n{"a":2}\n'],
    ['records over several lines', '{\n"a":1}\n{\n"a":\n2}'],
  ])('reads records on lines with %s', async (_name, text) => {
    const { tables } = await open(text)
    expect(recordsOf(nth(tables, 0))).toEqual([{ a: '1' }, { a: '2' }])
  })

  it.each([[true], [false]])('reads UTF-16 with and without its mark (%s)', async (marked) => {
    const text = `${marked ? '\ufeff' : ''}[{"namn":"Åsa"}]`
    const bytes = new Uint8Array(text.length * 2)
    for (let i = 0; i < text.length; i++) bytes.set([text.charCodeAt(i) & 255, text.charCodeAt(i) >> 8], i * 2)
    expect(recordsOf(nth((await open(bytes)).tables, 0))).toEqual([{ namn: 'Åsa' }])
  })

  it('offers the list inside one object, and the object itself besides', async () => {
    const { tables } = await open('{"total":2,"data":[{"id":1},{"id":2}]}')
    expect(tables.map(({ name, optional, rows }) => [name, optional, rows.length])).toEqual([
      ['orders', true, 1],
      ['orders.data', false, 2],
    ])
  })

  it('reads objects by name as rows with their name', async () => {
    const { tables } = await open('{"SE":{"kr":1},"NO":{"kr":2},"DK":{"kr":3}}')
    expect(tables.map(({ name }) => name)).toEqual(['orders.records'])
    expect(recordsOf(nth(tables, 0))[1]).toEqual({ key: 'NO', kr: '2' })
  })

  it('gives lists of lists by position, so that names are looked for in the first', async () => {
    const { tables } = await open('[["id","name"],[1,"A"],[2,null]]')
    expect(nth(tables, 0).hints).toEqual([])
    expect(nth(tables, 0).rows).toEqual([
      ['id', 'name'],
      ['1', 'A'],
      ['2', null],
    ])
  })

  it('reads single values as one column', async () => {
    expect(recordsOf(nth((await open('[1,2.5,null]')).tables, 0))).toEqual([
      { value: '1' },
      { value: '2.5' },
      { value: null },
    ])
  })

  it('reads one object of more than a record may be, stepping into what is long', async () => {
    const rows = Array.from({ length: 60_000 }, (_, i) => `{"id":${i},"text":"${'x'.repeat(80)}"}`)
    const text = `{"meta":{"page":1},"answer":{"took":3,"items":[${rows.join(',\n')}]}}`
    const { tables } = await open(text, 'orders.json', 65_536)
    expect(tables.map(({ name, rows: found }) => [name, found.length])).toEqual([
      ['orders', 1],
      ['orders.answer.items', 60_000],
    ])
    expect(recordsOf(nth(tables, 0))).toEqual([{ 'meta.page': '1', 'answer.took': '3' }])
    expect(nth(tables, 1).lines.at(-1)).toBe(60_000)
  })

  it('reads objects by name of more than a record may be', async () => {
    const members = Array.from({ length: 60_000 }, (_, i) => `"k${i}":{"n":${i},"text":"${'x'.repeat(80)}"}`)
    const { tables } = await open(`{${members.join(',')}}`, 'orders.json', 65_536)
    expect(tables.map(({ name, rows }) => [name, rows.length])).toEqual([['orders.records', 60_000]])
    expect(nth(tables, 0).rows.at(-1)?.slice(0, 2)).toEqual(['k59999', '59999'])
  })
})

describe('nested values', () => {
  it('makes objects dotted columns, and text what is more than four deep', async () => {
    const { tables } = await open('[{"a":{"b":{"c":{"d":1,"e":{"f":2}}}}}]')
    expect(recordsOf(nth(tables, 0))).toEqual([{ 'a.b.c.d': '1', 'a.b.c.e': '{"f":2}' }])
    expect(nth(tables, 0).warnings.map(({ code }) => code)).toEqual(['nested_values'])
  })

  it('makes lists of objects tables that name their parent by its own id', async () => {
    const { tables } = await open(
      '[{"id":"a","items":[{"n":1,"parts":[{"p":5}]},{"n":2}]},{"id":"b","items":[]},{"id":"c","items":[{"n":3}]}]',
    )
    expect(tables.map(({ name }) => name)).toEqual(['orders', 'orders.items', 'orders.items.parts'])
    expect(recordsOf(nth(tables, 0))).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
    expect(recordsOf(nth(tables, 1))).toEqual([
      { order_id: 'a', item_row_id: '1', n: '1' },
      { order_id: 'a', item_row_id: '2', n: '2' },
      { order_id: 'c', item_row_id: '3', n: '3' },
    ])
    expect(recordsOf(nth(tables, 2))).toEqual([{ item_row_id: '1', p: '5' }])
  })

  it('names the parent by its row where no id tells the rows apart', async () => {
    const { tables } = await open('[{"id":1,"items":[{"n":1}]},{"id":1,"items":[{"n":2}]}]')
    expect(recordsOf(nth(tables, 0))).toEqual([
      { order_row_id: '1', id: '1' },
      { order_row_id: '2', id: '1' },
    ])
    expect(recordsOf(nth(tables, 1))).toEqual([
      { order_row_id: '1', n: '1' },
      { order_row_id: '2', n: '2' },
    ])
  })

  it('joins short lists of single values in a cell and offers them as a table besides', async () => {
    const { tables } = await open('[{"id":1,"tags":["a","b"]},{"id":2,"tags":[]}]')
    expect(recordsOf(nth(tables, 0)).map((row) => row['tags'])).toEqual(['a, b', null])
    expect(tables[1]).toMatchObject({ name: 'orders.tags', optional: true })
    expect(recordsOf(nth(tables, 1))).toEqual([
      { order_id: '1', value: 'a' },
      { order_id: '1', value: 'b' },
    ])
  })

  it('leaves a long list to its own table', async () => {
    const { tables } = await open(`[{"id":1,"tags":[${'"abcdefghij",'.repeat(200)}"z"]},{"id":2}]`)
    expect(recordsOf(nth(tables, 0))[0]).toEqual({ id: '1', tags: null })
    expect(tables[1]).toMatchObject({ optional: false })
    expect(nth(tables, 1).rows).toHaveLength(201)
  })

  it('keeps an object whose keys are never the same as text', async () => {
    const records = Array.from({ length: 40 }, (_, i) => {
      const dynamic = Array.from({ length: 40 }, (_ignored, k) => `"k${i * 40 + k}":1`)
      return `{"id":${i},"seen":{${dynamic.join(',')}}}`
    })
    const { tables } = await open(records.join('\n'))
    expect(labelsOf(nth(tables, 0))).toEqual(['id', 'seen'])
    expect(nth(tables, 0).rows[0]?.[1]).toContain('"k1":1')
  })

  it('gives at most twenty tables', async () => {
    const lists = Array.from({ length: 30 }, (_, i) => `"l${i}":[{"x":${i}}]`)
    const { tables } = await open(`[{"id":1,${lists.join(',')}},{"id":2}]`)
    expect(tables).toHaveLength(20)
    expect(recordsOf(nth(tables, 0))[0]?.['l29']).toBe('[{"x":29}]')
  })
})

describe('values', () => {
  it('keeps numbers as written, and types a column by all of its values', async () => {
    const { tables } = await open(
      '[{"big":9007199254740993,"exact":1.234567890123456789,"sum":1.5,"n":7,"yes":true,"code":"007","text":"12.5"},' +
        '{"big":1,"exact":2,"sum":10.25,"n":-3,"yes":false,"code":"010","text":"1"}]',
    )
    const [table] = tables
    expect(recordsOf(nth(tables, 0))[0]).toMatchObject({
      big: '9007199254740993',
      exact: '1.234567890123456789',
      code: '007',
    })
    expect(['big', 'exact', 'sum', 'n', 'yes', 'code', 'text'].map((label) => hint(table, label))).toEqual([
      'text',
      'text',
      'number',
      'integer',
      'boolean',
      'text',
      undefined,
    ])
    expect(nth(tables, 0).hints.find(({ label }) => label === 'sum')?.scale).toBe(2)
  })

  it('treats hostile keys as plain data', async () => {
    const { tables } = await open('[{"__proto__":{"polluted":1},"constructor":"c","toString":"t"}]')
    expect(labelsOf(nth(tables, 0))).toEqual(['__proto__.polluted', 'constructor', 'toString'])
    expect(nth(tables, 0).rows).toEqual([['1', 'c', 't']])
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted')
  })

  it('takes the last of two equal keys and says where', async () => {
    const { tables, warnings } = await open('{"a":1}\n{"a":2,"a":{"b":3}}\n')
    expect(recordsOf(nth(tables, 0))).toEqual([
      { a: '1', 'a.b': null },
      { a: null, 'a.b': '3' },
    ])
    expect(warnings).toMatchObject([{ code: 'duplicate_headers', line: 2 }])
  })

  it('reads escapes and keeps them apart from the signs around them', async () => {
    const { tables } = await open(String.raw`[{"a":"x\"y\\","b":"\u00e5\ud83d\ude00\n","c\td":"\\\""}]`)
    expect(recordsOf(nth(tables, 0))).toEqual([{ a: 'x"y\\', b: 'å😀\n', 'c\td': '\\"' }])
  })

  it('gives the same tables however the file is cut into pieces', async () => {
    const text = '{"d":[{"a":"x\\\\","b":[1,{"c":"å\\""}]},\n{"a":"}]","b":[]}],"e":-1.5e3}'
    const whole = await open(text, 'x.json', 4096)
    for (const pieces of [1, 2, 3, 5, 11]) expect(await open(text, 'x.json', pieces)).toEqual(whole)
  })
})

describe('what is broken', () => {
  it('warns of records that stand on one line, and reads each', async () => {
    const { tables, warnings } = await open('{"a":1}{"a":2}\n{"a":3}')
    expect(recordsOf(nth(tables, 0))).toEqual([{ a: '1' }, { a: '2' }, { a: '3' }])
    expect(warnings).toMatchObject([{ line: 1 }])
  })

  it.each([
    ['a line that ends early', '{"a":1}\n{"a":2}\n{"a":', 3, ['1', '2']],
    ['a bad line among good ones', '{"a":1}\n{"a":oops}\n{"a":3}', 2, ['1', '3']],
    ['a bad first line', '{"a":1\n{"a":2}\n{"a":3}', 1, ['2', '3']],
    ['two values on one line', '{"a":1}\n{"a":2},{"a":3}\n{"a":4}', 2, ['1', '4']],
  ])('leaves out, and names, %s', async (_name, text, line, rest) => {
    const { tables, warnings } = await open(text)
    expect(recordsOf(nth(tables, 0)).map(({ a }) => a)).toEqual(rest)
    const message = `Line ${line} isn’t valid JSON and is skipped.`
    expect(warnings).toEqual([{ code: 'skipped_entry', line, message }])
  })

  it('names twenty of many broken lines and counts the rest', async () => {
    const lines = Array.from({ length: 100 }, (_, i) => (i % 3 === 0 ? '{"a":' : `{"a":${i}}`))
    const { tables, warnings } = await open(lines.join('\n'))
    expect(nth(tables, 0).rows).toHaveLength(66)
    expect([warnings.length, warnings.at(-1)?.message]).toEqual([
      21,
      '14 more lines aren’t valid JSON and are skipped.',
    ])
  })

  it.each([
    ['lines of which most are broken', '{"a":1}\n{"a":oops}\n{"a":', 2],
    ['a list that is not closed', '[{"a":1},\n{"a":2}\n', 2],
    ['a list closed by another sign', '[{"a":1},\n{"a":2]]', 2],
    ['a missing comma', '[{"a":1}\n{"a":2}]', 2],
    ['a comma too many', '[{"a":1},\n]', 2],
    ['a key without quotes', '{"b":1,\n a:1}', 2],
    ['a number with a leading zero', '[\n01]', 2],
    ['a raw line end in a text', '[{"a":"x\ny"}]', 1],
    ['a text that is never closed', '[{"a":"x}]', 1],
    ['words after the end', '[]\n done', 2],
    ['a value after a list', '[\n{"a":1}]\n42', 3],
    ['a second list', '[{"a":1},\n{"a":2}]\n[{"a":3}]', 3],
  ])('names the line of %s', async (_name, text, line) => {
    expect(await refusal(text)).toMatchObject({ code: 'file_unreadable', line })
  })

  it('refuses an empty file, what is nested without end, and a record that is too long', async () => {
    expect((await refusal(' \n')).message).toContain('empty')
    expect((await refusal('['.repeat(1000) + ']'.repeat(1000))).message).toContain('nested')
    const long = `[{"a":"${'x'.repeat(5_000_000)}"}]`
    const error = await openFile(jsonReader, { name: 'x.json', bytes: encoder.encode(long) }, 65_536).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ code: 'file_unreadable', details: { reason: 'unsafe', line: 1 } })
  })

  it('refuses records whose keys are more than columns can be', async () => {
    const records = Array.from({ length: 1200 }, (_, i) => `{"k${i}":1}`)
    expect(await refusal(records.join('\n'))).toMatchObject({ code: 'too_large' })
  })
})

describe('recognition', () => {
  const kind = (text: string, name = 'file.txt'): string | null => {
    const head = encoder.encode(text)
    return [jsonReader, ndjsonReader].find((reader) => reader.recognises(head, name))?.kind ?? null
  }
  it.each([
    ['[{"a":1}]', 'json'],
    ['{"a":1}', 'json'],
    [' \n[1,2]', 'json'],
    ['{\n "a": [1,\n', 'json'],
    ['{"a":1}\n{"a":2}\n', 'ndjson'],
    ['[1,2]\n[3,4]\n', 'ndjson'],
    ['{"a":1}\n{"a":2', 'ndjson'],
    ['[id],[name]\n1,2\n', null],
    ['[1],[2]\n1,2\n', null],
    ['{a},{b}\n1,2\n', null],
    ['"{""a"":1}",2\n', null],
    ['id,json\n1,"{}"\n', null],
    ['12\n13\n', null],
    ['', null],
  ])('knows %j by its bytes', (text, wanted) => {
    expect(kind(text)).toBe(wanted)
  })

  it('believes the name only where the bytes are of no table', () => {
    expect(kind("'[]", 'x.json')).toBe('json')
    expect(kind('id,name\n1,A\n', 'x.json')).toBe(null)
    expect(kind('{"a":1}', 'x.csv')).toBe('json')
  })
})
