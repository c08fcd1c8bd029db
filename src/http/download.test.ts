import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { attachmentHeader } from './download'
import { log } from '../lib/log'
import { anyText } from '../../test/worker/random/any-text'

const HOSTILE = ['a"; filename="b.exe', 'a\r\nSet-Cookie: x=1', 'a\\"b', '\ud800', "it's (1)*.csv", '', 'å\u202egpj']
const names = fc.oneof(anyText({ maxLength: 300 }), fc.constantFrom(...HOSTILE))

describe('names in headers and logs (INJ-12)', () => {
  it('writes any name as one quoted plain value and one RFC 5987 value', () => {
    const check = (name: string): void => {
      const value = attachmentHeader(name)
      expect(value).toMatch(
        /^attachment; filename="[A-Za-z0-9 ._-]*"; filename\*=UTF-8''(?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-F]{2})*$/,
      )
      const shown = decodeURIComponent(value.split("''")[1] ?? '')
      expect(shown.length).toBe(Math.min(name.length, 200))
      if (name.length <= 200) expect(shown).toBe(name.toWellFormed())
      expect(new Headers({ 'content-disposition': value }).get('content-disposition')).toBe(value)
    }
    HOSTILE.forEach(check)
    fc.assert(fc.property(names, check))
  })

  it('keeps the ending of a name that is too long', () => {
    const value = attachmentHeader(`${'a'.repeat(300)}.xlsx`)
    expect(value).toContain(`filename="${'a'.repeat(195)}.xlsx"`)
  })

  it('logs a hostile name as one line', () => {
    const written = vi.spyOn(console, 'info').mockImplementation(() => undefined)
    const name = 'a\r\n{"level":"error","message":"forged"}'
    log('info', 'upload', { name })
    const lines = written.mock.calls.map(([line]) => String(line))
    written.mockRestore()
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toMatch(/[\r\n]/)
    expect(JSON.parse(lines[0] ?? '')).toEqual({ level: 'info', message: 'upload', name })
  })
})
