/** A mail as its reader sees it. */
export interface ParsedMail {
  /** Every header line as it came, unfolded: `name: value`. */
  headers: string[]
  subject: string
  text: string
  html: string
  attachments: { fileName: string; type: string; bytes: Buffer }[]
}

/** Reads a mail as a mail program does: headers unfolded and decoded, the text and the HTML of an alternative. */
export function parseMail(raw: Buffer): ParsedMail {
  const whole = parsePart(raw.toString('latin1'))
  const parts = leaves(whole)
  const body = (type: string): string => parts.find((part) => part.type === type)?.body ?? ''
  return {
    headers: whole.headers,
    subject: decodeWords(header(whole.headers, 'subject')),
    text: body('text/plain'),
    html: body('text/html'),
    attachments: parts.flatMap(({ type, fileName, bytes }) => (fileName === null ? [] : [{ fileName, type, bytes }])),
  }
}

interface MimePart {
  headers: string[]
  content: string
}

/** Splits headers from content; a folded header becomes one line. */
function parsePart(text: string): MimePart {
  const end = text.indexOf('\r\n\r\n')
  const head = end < 0 ? text : text.slice(0, end)
  return { headers: head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n'), content: end < 0 ? '' : text.slice(end + 4) }
}

const header = (headers: string[], name: string): string => {
  const line = headers.find((one) => one.toLowerCase().startsWith(`${name}:`))
  return line === undefined ? '' : line.slice(name.length + 1).trim()
}

interface MimeBody {
  type: string
  body: string
  /** Null for what is read in the mail itself. */
  fileName: string | null
  bytes: Buffer
}

function leaves(mimePart: MimePart): MimeBody[] {
  const type = header(mimePart.headers, 'content-type')
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1]
  if (boundary !== undefined) {
    const inner = mimePart.content.split(`--${boundary}`).slice(1, -1)
    return inner.flatMap((text) => leaves(parsePart(text.replace(/^\r\n/, '').replace(/\r\n$/, ''))))
  }
  const bytes = decoded(mimePart.content, header(mimePart.headers, 'content-transfer-encoding').toLowerCase())
  const body = bytes.toString('utf8').replaceAll('\r\n', '\n')
  const disposition = header(mimePart.headers, 'content-disposition')
  const fileName = disposition.startsWith('attachment') ? fileNameOf(disposition) : null
  return [{ type: (type.split(';')[0] ?? '').trim().toLowerCase(), body, fileName, bytes }]
}

/** A name in one piece, or percent-encoded in pieces (RFC 2231): `filename*0*=utf-8''R%C3%A4k…`. */
function fileNameOf(disposition: string): string {
  const pieces = [...disposition.matchAll(/filename\*(?:\d+\*?)?="?([^";]+)"?/gi)].map(([, text = '']) => text)
  if (pieces.length === 0) return decodeWords(/filename="?([^";]+)"?/i.exec(disposition)?.[1] ?? '')
  return decodeURIComponent(pieces.join('').replace(/^utf-8''/i, ''))
}

function decoded(content: string, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(content, 'base64')
  if (encoding === 'quoted-printable') return Buffer.from(unquoted(content.replaceAll(/=\r\n/g, '')), 'latin1')
  return Buffer.from(content, 'latin1')
}

const unquoted = (text: string): string =>
  text.replaceAll(/=([0-9A-F]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** `=?UTF-8?Q?…?=` and `=?UTF-8?B?…?=` as text. Neighbours are joined before decoding: a letter may span two. */
function decodeWords(text: string): string {
  const bytes = text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_whole, kind: string, word: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString('latin1') : unquoted(word.replaceAll('_', ' ')),
    )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
