import { expect, it } from 'vitest'
import { parseLoadRequest, type LoadRequest } from './load-request'

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
