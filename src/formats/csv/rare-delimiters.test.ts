import { describe, expect, it } from 'vitest'
import { proposedTyper } from '../../../test/worker/csv-load'
import type { FileInspection } from '../../shared/data-sources/files'
import { inspectCsv } from '../inference/inspect-csv'
import { createByteCsvReader, decodeRecord } from './byte-csv-reader'
import { createCellDecoder } from '../encoding/text-decoder'

interface LoadedText extends Omit<FileInspection, 'rows'> {
  labels: string[]
  types: string[]
  rows: (string | number | null)[][]
  rejects: number
}

/** What a load would make of a file, by the way that leaves plain records undecoded. */
function load(text: string, pieces = 7): LoadedText {
  const bytes = new TextEncoder().encode(text)
  const found = inspectCsv({ fileName: 'a.txt', size: bytes.length, head: bytes })
  const typer = proposedTyper(found)
  const rows: LoadedText['rows'] = []
  let rejects = 0
  const onRecord = (cells: string[], line: number): void => {
    const row = typer.parse(cells, line)
    if (row.ok) rows.push(row.values.map((value) => (Array.isArray(value) ? value[0] : value)))
    else rejects++
  }
  const decode = createCellDecoder(found.settings.encoding)
  const reader = createByteCsvReader({
    settings: found.settings,
    startByte: 0,
    startLine: 1,
    onRecord,
    onBytes: (record, line) => onRecord(decodeRecord(record, decode), line),
  })
  for (let at = 0; at < bytes.length; at += pieces) reader.push(bytes.slice(at, at + pieces))
  reader.end()
  expect(found.rows.count).toBe(rows.length + rejects)
  return {
    ...found,
    labels: found.columns.map(({ label }) => label),
    types: found.columns.map(({ type }) => type),
    rows,
    rejects,
  }
}

describe('blanks between cells', () => {
  it('divide lines of one blank each, with quotes and with cells that are empty', () => {
    const found = load('Datum Kund Ort Belopp\n2024-01-15 "Kalle Ek" Lund 12.50\n2024-01-16 Anna  7.25\n')
    expect(found.types).toEqual(['date', 'text', 'text', 'number'])
    expect(found.rows.map((row) => row.slice(1))).toEqual([
      ['Kalle Ek', 'Lund', 1250],
      ['Anna', null, 725],
    ])
    expect(found.settings).toMatchObject({ delimiter: ' ' })
  })

  it('are one where several stand between cells, or some before the first', () => {
    const found = load('  id   name    value\n   1   alfa     12.5\n  22   beta      1.5\n')
    expect(found.labels).toEqual(['id', 'name', 'value'])
    expect(found.rows).toEqual([
      [1, 'alfa', 125],
      [22, 'beta', 15],
    ])
  })

  it('leave a decimal comma in its cell', () => {
    const found = load('namn pris antal\nalfa 12,50 3\nbeta 7,25 4\n')
    expect(found.rows).toEqual([
      ['alfa', 1250, 3],
      ['beta', 725, 4],
    ])
  })

  it.each([
    ['names of people', 'Namn\nAnna Andersson\nBo Ek\nCarl Dahl\n'],
    ['addresses', 'Adress\nStorgatan 1\nLillgatan 22\nParkvägen 3\n'],
    ['moments', 'When\n2024-01-15 10:30:00\n2024-01-16 11:45:00\n'],
    ['amounts', 'Belopp\n1 234\n2 500\n3 100\n'],
    ['sentences', 'This is a note.\nIt has several lines of words.\nNone of them is a row here.\n'],
    ['times', 'Start\n10:30:00\n11:45:00\n'],
  ])('are part of a single column of %s', (_, text) => expect(load(text).columns).toHaveLength(1))
})

describe('columns that stand below each other', () => {
  it('are found by the blanks between them, below titles and over a rule', () => {
    const table = [
      'Stock list',
      'Name             Qty  Place',
      '---------------  ---  ----------',
      'Red sofa           5  Lund',
      'Lamp                  Stora Höga',
      'Table of oak      12',
    ].join('\n')
    const found = load(table)
    expect(found.labels).toEqual(['Name', 'Qty', 'Place'])
    expect(found.rows).toEqual([
      ['Red sofa', 5, 'Lund'],
      ['Lamp', null, 'Stora Höga'],
      ['Table of oak', 12, null],
    ])
    expect(found.settings).toMatchObject({ skipLines: 1, columnStarts: [17, 22] })
    // What a person corrects else leaves the columns where they are.
    const bytes = new TextEncoder().encode(table)
    const again = inspectCsv({ fileName: 'a', size: bytes.length, head: bytes }, { ...found.settings, header: false })
    expect(again.columns).toHaveLength(3)
  })
})

describe('a rare sign', () => {
  it.each(['~', '^', ':', '\u001f', '\u0001'])('divides lines where no usual one does: %j', (sign) => {
    const found = load('id,name,qty\n1,alfa,10\n2,beta,20\n'.replaceAll(',', sign))
    expect(found.types).toEqual(['integer', 'text', 'integer'])
    expect(found.rejects).toBe(0)
  })
})

describe('a backslash before the delimiter', () => {
  it('takes it into the cell where nothing is quoted, and leaves others alone', () => {
    const found = load('id,name,qty\n1,alfa\\, red,10\n2,C:\\temp,20\n3,\\N,30\n4,two\\\nlines,40\n')
    expect(found.rows).toEqual([
      [1, 'alfa, red', 10],
      [2, 'C:\\temp', 20],
      [3, '\\N', 30],
      [4, 'two\nlines', 40],
    ])
  })

  it('is a letter where lines are even with it', () => {
    const found = load('id,path,qty\n1,C:\\temp\\,10\n2,D:\\,20\n')
    expect(found.rows[0]).toEqual([1, 'C:\\temp\\', 10])
  })
})

describe('lines that are comments', () => {
  it.each(['#', '//', '--'])('begin with %s anywhere in the file, whatever quotes and delimiters they hold', (mark) => {
    const text = `a,b\n1,2\n${mark} note, with "quotes, and, more\n-3,4\n${mark}\n5,6\n`
    for (const pieces of [1, 5, 1000]) {
      const found = load(text, pieces)
      expect(found.rows).toEqual([
        [1, 2],
        [-3, 4],
        [5, 6],
      ])
      expect(found.warnings).toMatchObject([
        { code: 'comment_lines', message: `2 lines starting with ${mark} were skipped as comments.` },
      ])
    }
  })

  it('are none where rows begin so', () => {
    expect(load('code,n\n--a,1\n--b,2\nc,3\n').rows).toHaveLength(3)
    expect(load('path,n\n//server/a,1\n//server/b,2\n').rows).toHaveLength(2)
    expect(load('a,b\n-1,2\n-3,4\n-').rows).toHaveLength(3)
  })
})

describe('names of columns with years among them', () => {
  it('stand below titles that are padded to the full width', () => {
    const found = load(
      'Emissions of industry,,,\nthousand tonnes,,,\n,,,\nBranch,2021,2022,2023\nWood,"2,666","2,274","1,877"\nSteel,498,853,490\n',
    )
    expect(found.labels).toEqual(['Branch', '2021', '2022', '2023'])
    expect(found.rows).toEqual([
      ['Wood', 2666, 2274, 1877],
      ['Steel', 498, 853, 490],
    ])
  })
})
