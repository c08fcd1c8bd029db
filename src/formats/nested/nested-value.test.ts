import { expect, it } from 'vitest'
import { joinScalars, NULL, toJsonText, type NestedValue } from './nested-value'

const scalar = (text: string): NestedValue => ({ kind: 'string', text })

it('is the JSON it was, and its single values joined without what is null', () => {
  const items = [scalar('a"b'), NULL, { kind: 'number', text: '1' } as const, scalar('')]
  const value: NestedValue = { kind: 'object', keys: ['x', 'y'], values: [{ kind: 'list', items }, NULL] }
  expect(toJsonText(value, 1000)).toBe('{"x":["a\\"b",null,1,""],"y":null}')
  expect(joinScalars(items, 1000)).toBe('a"b, 1, ')
})

it('is cut soon behind what may be kept, where one long text stands many times', () => {
  const long = scalar('x'.repeat(30_000))
  const items = Array.from({ length: 200_000 }, () => long)
  const nested: NestedValue = { kind: 'list', items: items.map((item) => ({ kind: 'list', items: [item, item] })) }
  for (const text of [toJsonText(nested, 32_768), joinScalars(items, 32_768)]) {
    expect(text.length).toBeGreaterThan(32_768)
    expect(text.length).toBeLessThan(100_000)
  }
})
