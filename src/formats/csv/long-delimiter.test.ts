import { expect, it } from 'vitest'
import { createDelimiterReplacer, findLongDelimiter } from './long-delimiter'
import { inspectCsv } from '../inference/inspect-csv'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const found = (text: string): string | null => {
  const delimiter = findLongDelimiter(utf8(text))
  return delimiter && new TextDecoder().decode(delimiter)
}
function replaced(text: string, piece: number): Uint8Array {
  const replacer = createDelimiterReplacer(findLongDelimiter(utf8(text)) ?? new Uint8Array(0))
  const bytes = utf8(text)
  const out: number[] = []
  for (let at = 0; at < bytes.length; at += piece) out.push(...replacer.push(bytes.subarray(at, at + piece)))
  return Uint8Array.from([...out, ...replacer.end()])
}
const rows = (delimiter: string): string =>
  [
    ['id', 'namn', 'belopp'],
    ['1', 'Åsa', '12,50'],
    ['2', '', '7,25'],
    ['3', '', ''],
  ]
    .map((cells) => `${cells.join(delimiter)}\r\n`)
    .join('')

it.each(['||', '~|~', '::', '|~|', '^|^', ';;', '#|#', '|||'])('divides cells by %s', (delimiter) => {
  const text = rows(delimiter)
  expect(found(text)).toBe(delimiter)
  for (const piece of [1, 2, 3, 5, 1000]) {
    const bytes = replaced(text, piece)
    const { columns, preview, settings } = inspectCsv({ fileName: 'a.csv', size: bytes.length, head: bytes })
    expect(settings.delimiter).toBe('\u001f')
    expect(columns.map(({ label, type }) => [label, type])).toEqual([
      ['id', 'integer'],
      ['namn', 'text'],
      ['belopp', 'number'],
    ])
    expect(preview.at(-1)).toEqual(['3', '', ''])
  }
})

it('leaves what is quoted, and lines, as they are', () => {
  const text = 'id||text\n1||"a||b ""c"" || d"\n2||x\n3||y\n'
  expect(new TextDecoder().decode(replaced(text, 4))).toBe(
    'id\u001ftext\n1\u001f"a||b ""c"" || d"\n2\u001fx\n3\u001fy\n',
  )
})

it('takes a quote within a cell for a sign as any other: inches hide no delimiter', () => {
  const text = 'id||what||n\n1||5" pipe||3\n2||cable||4\n3||7" tube||5\n4||"a ""nut"" || bolt"||6\n'
  expect(found(text)).toBe('||')
  for (const piece of [1, 2, 3, 1000])
    expect(new TextDecoder().decode(replaced(text, piece))).toBe(
      'id|what|n\n1|5" pipe|3\n2|cable|4\n3|7" tube|5\n4|"a ""nut"" @ bolt"|6\n'
        .replaceAll('|', '\u001f')
        .replace('@', '||'),
    )
})

it('looks for few delimiters, whatever the first line holds', () => {
  const signs = Array.from('|~^:;#@*$%&!+=<>')
  const pairs = signs.flatMap((one) => signs.map((two) => one + two))
  const runs = pairs.flatMap((one) => pairs.map((two) => `${one}${two}a`))
  const begun = performance.now()
  expect(found(`${runs.join('')}\nb\nc\nd\n`)).toBeNull()
  expect(performance.now() - begun).toBeLessThan(20_000)
})

it.each([
  ['single signs that have empty cells between them', 'a;b;;c\n1;2;;3\n4;5;;6\n'],
  ['a column without a name, with values', 'a||b\n1|x|2\n3|y|4\n'],
  ['two lines', 'a||b\n1||2\n'],
  ['rulers', 'a;b\n--;--\n1;2\n3;4\n'],
  ['prose', 'Title -- of it\nOne more\nand one\n'],
  ['addresses', 'url,n\nhttp://a,1\nhttp://b,2\nhttp://c,3\n'],
])('takes no delimiter out of %s', (_what, text) => {
  expect(found(text)).toBeNull()
})
