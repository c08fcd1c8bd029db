import { describe, expect, it } from 'vitest'
import { ProductError } from '../../shared/errors'
import { NULL, toJsonText, type NestedObject, type NestedValue } from '../nested/nested-value'
import { variantValue } from './variant'

const hex = (digits: string): NestedValue => ({ kind: 'string', text: `\\x${digits.replaceAll(' ', '')}` })
const number = (text: string): NestedValue => ({ kind: 'number', text })
const group = (members: Record<string, NestedValue>): NestedObject => ({
  kind: 'object',
  keys: Object.keys(members),
  values: Object.values(members),
})
/** Names a and b. */
const metadata = hex('01 02 00 01 02 61 62')
const json = (members: Record<string, NestedValue>): string =>
  toJsonText(variantValue(group({ metadata, ...members })), 1000)

describe('a VARIANT of Parquet', () => {
  it.each([
    ['a whole number', '0c 22', '34'],
    ['a decimal', '20 02 f3 03 00 00', '10.11'],
    ['a date', '2c 45 4e 00 00', '"2024-11-10"'],
    ['a short text', '09 68 69', '"hi"'],
    ['a long text', '40 02 00 00 00 68 69', '"hi"'],
    ['true', '04', 'true'],
    ['nothing', '00', 'null'],
    ['an object', '02 02 00 01 00 02 05 0c 22 09 68 69', '{"a":34,"b":"hi"}'],
    ['a list', '03 02 00 02 03 0c 22 04', '[34,true]'],
  ])('is %s', (_, value, text) => expect(json({ value: hex(value) })).toBe(text))

  it('is put together from its bytes and the columns it was shredded into', () => {
    const typed = group({
      a: group({ value: NULL, typed_value: number('7') }),
      c: group({ value: NULL, typed_value: NULL }),
    })
    expect(json({ value: hex('02 01 01 00 02 0c 22'), typed_value: typed })).toBe('{"a":7,"b":34}')
    const items: NestedValue = { kind: 'list', items: [group({ value: hex('09 68 69'), typed_value: NULL })] }
    expect(json({ value: NULL, typed_value: items })).toBe('["hi"]')
    expect(json({ value: NULL, typed_value: number('5') })).toBe('5')
  })

  it.each([
    ['reach past their end', '40 ff 00 00 00 68'],
    ['name what is not there', '02 01 09 00 02 0c 22'],
    ['announce more than there is', '13 ff ff ff 7f 00'],
    ['hold one value over and over', '03 02 00 00 00 '.repeat(60) + '04'],
  ])('is refused where its bytes %s', (_, value) => {
    expect(() => variantValue(group({ metadata, value: hex(value) }))).toThrow(ProductError)
  })
})
