import { expect, it } from 'vitest'
import { parseLoadRequest, typedColumns, type LoadRequest } from './load-request'
import { createRowParser } from '../formats/values/row-parser'

it('reads back a load of amounts that know their currency', () => {
  const format = { style: 'plain' } as const
  const request: LoadRequest = {
    settings: {
      ...{ encoding: 'utf-8', delimiter: ';', quote: '"', escape: '"', header: true, skipLines: 0 },
      ...{ decimalMark: ',', dateOrder: 'ymd' },
    },
    columns: [
      {
        ...{ key: 'c0', label: 'Amount', type: 'integer', role: 'measure', format, hidden: false, fileIndex: 0 },
        ...{ currencyColumn: 'c1', minorUnits: true },
      },
      { key: 'c1', label: 'Currency', type: 'text', role: 'currency', format, hidden: false, fileIndex: 1 },
    ],
    ...{ files: [{ index: 0 }, { index: 1 }], keyColumns: [], fileWidth: 2, fileHash: '' },
  }
  expect(parseLoadRequest(JSON.parse(JSON.stringify(request)))).toEqual(request)
})

it('reads day numbers where a request says so, and as before where one of an earlier release says nothing', () => {
  const settings = {
    ...({ encoding: 'utf-8', delimiter: ';', quote: '"', escape: '"', header: true, skipLines: 0 } as const),
    ...({ decimalMark: ',', dateOrder: 'ymd' } as const),
  }
  const shown = { format: { style: 'plain' }, hidden: false } as const
  const read = (file: LoadRequest['files'][number]): boolean => {
    const request: LoadRequest = {
      settings,
      columns: [{ key: 'c0', label: 'Day', type: 'date', role: 'time', fileIndex: 0, ...shown }],
      ...{ files: [file], keyColumns: [], fileWidth: 1, fileHash: '' },
    }
    const stored = parseLoadRequest(JSON.parse(JSON.stringify(request)))
    expect(stored).toEqual(request)
    return createRowParser(typedColumns(stored), settings).parse(['45292'], 1).ok
  }
  expect(read({ index: 0 })).toBe(true)
  expect(read({ index: 0, serialDates: true })).toBe(true)
  expect(read({ index: 0, serialDates: false })).toBe(false)
})
