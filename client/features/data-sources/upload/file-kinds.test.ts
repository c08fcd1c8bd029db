import { expect, it } from 'vitest'
import { FILE_ENDINGS } from '../../../../src/shared/data-sources/file-endings'
import { FILE_ACCEPT } from './file-kinds'

it('the file dialog offers every ending of every kind that is read, older workbooks too', () => {
  const offered = FILE_ACCEPT.split(',')
  expect(offered).toEqual(
    expect.arrayContaining(
      Object.values(FILE_ENDINGS)
        .flat()
        .map((ending) => `.${ending}`),
    ),
  )
  expect(offered).toEqual(expect.arrayContaining(['.xls', '.xlsb', '.xlsx', '.csv', '.se']))
})
