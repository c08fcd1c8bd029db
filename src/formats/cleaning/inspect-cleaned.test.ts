import { expect, it } from 'vitest'
import { inspectCleaned } from './inspect-cleaned'
import { inspectCsv } from '../inference/inspect-csv'
import type { CleaningStep } from '../../shared/data-sources/cleaning'

const header = Array.from({ length: 50 }, (_, n) => `C${n}`)
/** So many rows of 50 figures, a hundred bytes each; 100 kB are looked through. */
const inspected = (rows: number, steps: CleaningStep[]) => {
  const line = header.map(() => 1).join(';')
  const head = new TextEncoder().encode([header.join(';'), ...Array.from({ length: rows }, () => line), ''].join('\n'))
  const sample = { fileName: 'wide.csv', head, size: head.length }
  return inspectCleaned({ sample, found: inspectCsv(sample, {}), table: null, steps, given: {}, bytesMax: 100_000 })
}
const unpivot: CleaningStep = {
  ...{ kind: 'unpivot', keep: header.slice(0, 10), leaveOut: [], nameColumn: 'Name', valueColumn: 'Value' },
  dropEmpty: false,
}

it('looks through less of a file the more its recipe makes of each row, and says that it estimates', () => {
  const { cleaning, rows } = inspected(400, [unpivot])
  expect(cleaning).toMatchObject({ exact: false, problem: null })
  expect(cleaning.rowsRead).toBeGreaterThan(50)
  expect(cleaning.rowsRead).toBeLessThan(150)
  expect(rows).toEqual({ count: 40 * 400, exact: false })
})

it('looks through all of it where the recipe makes little, and through one row at least', () => {
  const trim: CleaningStep = { kind: 'trim', columns: ['C0'], inner: true }
  expect(inspected(400, [trim]).cleaning).toMatchObject({ exact: true, rowsRead: 400 })
  expect(inspected(5, [unpivot])).toMatchObject({ rows: { count: 40 * 5, exact: true } })
  const both: CleaningStep = { ...unpivot, keep: ['Name', 'C0'], nameColumn: 'N', valueColumn: 'V' }
  expect(inspected(400, [unpivot, both]).cleaning.rowsRead).toBeGreaterThan(0)
})

it('gives figures that a step has read the decimals of all rows, not of the first alone', () => {
  const figures = [...Array.from({ length: 5500 }, () => '1 200,5 kr'), '0,125 kr', 'about 1.23456']
  const head = new TextEncoder().encode(['Day;Amount', ...figures.map((figure) => `x;${figure}`), ''].join('\n'))
  const sample = { fileName: 'a.csv', head, size: head.length }
  const steps: CleaningStep[] = [{ kind: 'parseNumber', columns: ['Amount'], decimalMark: ',' }]
  const { columns, cleaning } = inspectCleaned({ sample, found: inspectCsv(sample, {}), table: null, steps, given: {} })
  expect(columns[1]).toMatchObject({ type: 'number', scale: 3 })
  expect(cleaning.effects).toMatchObject([{ cellsChanged: 5501, cellsUnread: 1 }])
})
