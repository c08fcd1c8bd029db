import { describe, expect, it } from 'vitest'
import { CP437, CP850 } from './text-decoder'
import { inspectCsv } from '../inference/inspect-csv'
import { createCsvReader } from '../csv/csv-reader'

const page = (text: string, table: string): Uint8Array =>
  Uint8Array.from(text, (char) => (char < '\u0080' ? char.charCodeAt(0) : 0x80 + table.indexOf(char)))
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0))
const NAMES = 'Namn;Ort;Belopp\nÅkeri Väst;Växjö;100,50\nØrsted Öst;Malmö;20,00\nCafé Ångström;Århus;7,25\n'
const SWEDISH = NAMES.replace('Ørsted', 'Orsted')

function read(bytes: Uint8Array): { encoding: string; text: string } {
  const { settings } = inspectCsv({ fileName: 'a.csv', size: bytes.length, head: bytes })
  const lines: string[] = []
  const onRecord = (cells: string[]): void => void lines.push(cells.join(';'))
  const reader = createCsvReader({ settings: { ...settings, header: false }, startByte: 0, startLine: 1, onRecord })
  for (const byte of bytes) reader.push(Uint8Array.of(byte))
  reader.end()
  return { encoding: settings.encoding, text: `${lines.join('\n')}\n` }
}

describe('texts of one byte a letter', () => {
  it('are read as MS-DOS wrote them when its letters stand in words', () => {
    expect(read(page(NAMES, CP850))).toEqual({ encoding: 'cp850', text: NAMES })
    expect(read(page(SWEDISH, CP437))).toEqual({ encoding: 'cp850', text: SWEDISH })
  })

  it('are read as Windows wrote them when its letters do', () => {
    expect(read(latin1(NAMES))).toEqual({ encoding: 'windows-1252', text: NAMES })
  })

  it('are not taken for MS-DOS because of quotation marks', () => {
    const quoted = latin1('Name;Text\na;\u0093quoted\u0094 words\nb;don\u0092t and l\u0092eau\nc;\u0093one\u0094\n')
    expect(read(quoted).encoding).toBe('windows-1252')
  })

  it('are code page 437 when what it alone has stands between words', () => {
    expect(read(page('Namn;Krav\nVäst;≥ 5\nÖst;≤ 7\nMalmö;Σ 12\n', CP437)).encoding).toBe('cp437')
  })

  it('can be read as any of them when the person says so', () => {
    const bytes = page(NAMES, CP850)
    const found = inspectCsv({ fileName: 'a.csv', size: bytes.length, head: bytes }, { encoding: 'cp437' })
    expect(found.settings.encoding).toBe('cp437')
    expect(found.preview[1]?.[0]).toBe('¥rsted Öst')
  })
})
