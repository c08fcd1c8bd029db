import { describe, expect, it } from 'vitest'
import { CP437 } from '../encoding/text-decoder'
import { sieReader } from './sie-reader'
import type { FileWarning } from '../../shared/data-sources/files'
import { openFile, recordsOf } from '../../../test/suites/open-file'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const cp437 = (text: string): Uint8Array =>
  Uint8Array.from(text, (char) => (char < '\u0080' ? char.charCodeAt(0) : 0x80 + CP437.indexOf(char)))
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (char) => (char === '€' ? 0xa4 : char.charCodeAt(0)))
const utf16 = (text: string): Uint8Array => {
  const units = Uint16Array.from(`\ufeff${text}`, (char) => char.charCodeAt(0))
  return new Uint8Array(units.buffer)
}

const NAMES = ['Årets försäljning', 'Övriga kostnader', 'Kassa på café', 'Över Ängsö']
const book = (format: string, names = NAMES): string =>
  [
    '#FLAGGA 0',
    `#FORMAT ${format}`,
    '#RAR 0 20250101 20251231',
    ...names.map((name, i) => `#KONTO ${1000 + i} "${name}"`),
  ].join('\r\n')

async function read(bytes: Uint8Array): Promise<{ names: (string | null | undefined)[]; warnings: FileWarning[] }> {
  const { tables, warnings } = await openFile(sieReader, { name: 'a.se', bytes })
  const accounts = tables.filter(({ name }) => name === 'accounts').flatMap(recordsOf)
  return { names: accounts.map((row) => row['name']), warnings }
}

describe('the encoding of a SIE file', () => {
  it('is told by the bytes, whatever #FORMAT says', async () => {
    for (const encode of [cp437, latin1, utf8, utf16])
      for (const format of ['PC8', 'UTF-8', 'ISO 8859-1']) {
        const { names } = await read(encode(book(format)))
        expect([encode.name, format, names]).toEqual([encode.name, format, NAMES])
      }
  })

  it('is warned about when it is another than declared', async () => {
    const codes = async (bytes: Uint8Array) => (await read(bytes)).warnings.map(({ code }) => code)
    expect(await codes(utf8(book('PC8')))).toEqual(['encoding_declared'])
    expect(await codes(latin1(book('PC8')))).toEqual(['encoding_declared'])
    expect(await codes(cp437(book('UTF-8')))).toEqual(['encoding_declared'])
    expect(await codes(cp437(book('PC8')))).toEqual([])
    expect(await codes(utf8(book('PC8', ['Plain'])))).toEqual([])
  })

  it('tells the euro of ISO 8859-15', async () => {
    const names = ['Försäljning i €']
    expect((await read(latin1(book('ISO 8859-15', names)))).names).toEqual(names)
  })

  it('drops the byte order mark', async () => {
    const { tables } = await openFile(sieReader, { name: 'a.se', bytes: utf8(`\ufeff${book('UTF-8')}`) }, 1)
    expect(tables.map(({ name }) => name)).toContain('accounts')
  })

  it('mends letters that an earlier conversion took for others, and says so', async () => {
    const asWindows = new TextDecoder('windows-1252')
    const damaged = NAMES.map((name) => asWindows.decode(cp437(name)))
    const found = await read(utf8(book('PC8', damaged)))
    expect(found.names).toEqual(NAMES)
    expect(found.warnings.map(({ code }) => code)).toEqual(['encoding_declared', 'encoding_declared'])
    const twice = NAMES.map((name) => asWindows.decode(utf8(name)))
    expect((await read(utf8(book('UTF-8', twice)))).names).toEqual(NAMES)
  })

  it('never mends signs beside letters that came through unharmed', async () => {
    const names = ['Så kallad „gåva”', 'Märket Ze™on']
    expect((await read(utf8(book('UTF-8', names)))).names).toEqual(names)
  })
})
