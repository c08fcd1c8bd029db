import { describe, expect, it } from 'vitest'
import { tokenizeLine } from './tokenizer'

const fields = (line: string): unknown => {
  const [event] = tokenizeLine(line)
  return event?.kind === 'record' ? [event.label, ...event.fields] : event
}
const kinds = (line: string): string[] =>
  tokenizeLine(line).map((event) => (event.kind === 'record' ? event.label : event.kind))

describe('the fields of a line', () => {
  it('are parted by blanks and tabs, and quotes hold blanks together', () => {
    expect(fields('  #VER\tA  1 20250115\t"Two words" ""')).toEqual(['VER', 'A', '1', '20250115', 'Two words', ''])
  })

  it('know escaped quotes, doubled ones and a backslash at the end', () => {
    expect(fields('#KONTO 1 "He said \\"hi\\""')).toEqual(['KONTO', '1', 'He said "hi"'])
    expect(fields('#KONTO 1 "He said ""hi"""')).toEqual(['KONTO', '1', 'He said "hi"'])
    expect(fields('#FNR "C:\\Books\\2025\\"')).toEqual(['FNR', 'C:\\Books\\2025\\'])
  })

  it('hold braces and number signs inside texts', () => {
    expect(fields('#VER # 1 20250115 "Cost {5} #2"')).toEqual(['VER', '#', '1', '20250115', 'Cost {5} #2'])
  })

  it('read lists of objects, with or without blanks and quotes', () => {
    expect(fields('#TRANS 3010 {1 "Nord" 6 "P 1"} -5')).toEqual(['TRANS', '3010', ['1', 'Nord', '6', 'P 1'], '-5'])
    expect(fields('#TRANS 3010 { "1" "1"} -5')).toEqual(['TRANS', '3010', ['1', '1'], '-5'])
    expect(fields('#TRANS 3010 {} -5')).toEqual(['TRANS', '3010', [], '-5'])
  })

  it('end with the line, also in a quote or brace that is never closed', () => {
    expect(fields('#KONTO 1 "Open')).toEqual(['KONTO', '1', 'Open'])
    expect(fields('#TRANS 1 {1 "2 5')).toEqual(['TRANS', '1', ['1', '2 5']])
  })

  it('drop control characters', () => {
    expect(fields('#KONTO 1 "a\u0000\u0007b"')).toEqual(['KONTO', '1', 'ab'])
  })
})

describe('a line', () => {
  it('may hold braces beside its record', () => {
    expect(kinds('{')).toEqual(['open'])
    expect(kinds('#VER A 1 20250115 {')).toEqual(['VER', 'open'])
    expect(kinds('{ #TRANS 1930 {} 5 }')).toEqual(['open', 'TRANS', 'close'])
  })

  it('is noise when it is neither', () => {
    expect(kinds('words')).toEqual(['noise'])
    expect(kinds(' \t ')).toEqual([])
  })
})
