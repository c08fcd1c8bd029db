import fc from 'fast-check'
import { expect, it } from 'vitest'
import { realText } from './real-text'
import { inSqlite } from '../../../../test/worker/warehouse-rows'

it('writes floating point of up to 15 digits as SQLite does', async () => {
  const odd = [0, -0, 1, -1, 0.1, 1e15, 1e14, 123456789012345, 999999999999999, 1e-4, 1e-5, 2.5e-10, 1e100, -2e21]
  await inSqlite('real-text', (sql) => {
    const check = (value: number): void => {
      const [row] = sql.exec<{ text: string }>('SELECT CAST(CAST(? AS REAL) AS TEXT) AS text', value).toArray()
      expect(realText(value)).toBe(row?.text)
    }
    for (const value of odd) check(value)
    fc.assert(fc.property(fc.integer({ min: -(2 ** 38), max: 2 ** 38 }), (quarters) => check(quarters / 4)))
  })
})
