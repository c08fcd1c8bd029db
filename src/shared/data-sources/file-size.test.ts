import { expect, it } from 'vitest'
import { fileTooLarge } from './file-size'
import { EXTRACTED_FILE_MAX_BYTES, FILE_MAX_BYTES } from '../limits'

it('lets a delimited text be as long as a file may be, whatever it is called', () => {
  for (const name of ['orders.csv', 'orders.txt', 'orders', 'json', 'zip.csv', 'orders.zip.tsv']) {
    expect(fileTooLarge({ name, size: FILE_MAX_BYTES })).toBeNull()
    expect(fileTooLarge({ name, size: FILE_MAX_BYTES + 1 })?.details).toEqual({
      ...{ what: 'file', max: FILE_MAX_BYTES, size: FILE_MAX_BYTES + 1 },
    })
  }
})

it('holds what is taken apart to less, and says how large a CSV may be', () => {
  const names = [
    'a.xlsx',
    'a.XLSM',
    'a.xlsb',
    'a.XLS',
    'a.ods',
    'a.json',
    'a.ndjson',
    'a.jsonl',
    'a.parquet',
    'a.se',
    'a.zip',
  ]
  for (const name of names) {
    expect(fileTooLarge({ name, size: EXTRACTED_FILE_MAX_BYTES })).toBeNull()
    expect(fileTooLarge({ name, size: EXTRACTED_FILE_MAX_BYTES + 1 })).toMatchObject({
      details: { max: EXTRACTED_FILE_MAX_BYTES },
      message: expect.stringMatching(/up to 200 MB\. Save the table as CSV, which may be up to 2 GB\.$/),
    })
  }
})

it('goes by the bytes where they were looked at', () => {
  const size = EXTRACTED_FILE_MAX_BYTES + 1
  expect(fileTooLarge({ name: 'orders.json', size }, false)).toBeNull()
  expect(fileTooLarge({ name: 'orders.csv', size }, true)).not.toBeNull()
})
