import { expect, it } from 'vitest'
import { csvSettingsSchema } from './files'

it('columns without a delimiter begin one behind the other', () => {
  const accepts = (columnStarts: number[]) =>
    csvSettingsSchema.pick({ columnStarts: true }).safeParse({ columnStarts }).success
  expect(accepts([1, 4, 9])).toBe(true)
  expect([[4, 1], [4, 4], [0]].map(accepts)).toEqual([false, false, false])
})
