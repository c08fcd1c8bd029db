/** Characters beyond Latin-1 have no glyph in the built-in font. */
const plain = (text: string): string =>
  text.replaceAll(/[^\u0020-\u007e\u00a1-\u00ff]/g, '?').replaceAll(/[\\()]/g, (sign) => `\\${sign}`)

const TOP = 790
const LEFT = 56
const LEADING = 18
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff)

/** A valid PDF of one A4 page with these lines of text, the first of them large. */
export function pdfOf(lines: string[]): Uint8Array<ArrayBuffer> {
  const shown = lines.map((line, at) => `/F1 ${at === 0 ? 18 : 11} Tf (${plain(line)}) Tj T*`)
  const content = `BT ${LEADING} TL ${LEFT} ${TOP} Td ${shown.join('\n')} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  return bytesOf(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
  )
}
