const LOCAL_HEADER = 'PK\u0003\u0004'
const NAME_AT = 30
const OLE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
const ODS = 'application/vnd.oasis.opendocument.spreadsheet'
const PACKAGE_PARTS = /^(\[content_types\]\.xml$|_rels\/|docprops\/|xl\/|customxml\/|mimetype$)/i

/** The container of XLS files and of password-protected workbooks. */
export const looksLikeOle = (head: Uint8Array): boolean => OLE.every((byte, at) => head[at] === byte)

/** A zip whose first entry is a part of a workbook's package; also the container of older and of protected workbooks. */
export function looksLikeXlsx(head: Uint8Array): boolean {
  if (looksLikeOle(head)) return true
  const text = latin(head)
  if (!PACKAGE_PARTS.test(firstName(text)) || text.includes(ODS)) return false
  return !/PK\u0003\u0004[^]{26}(?:word|ppt)\//.test(text)
}

/** A zip that says in its first entry, or in its list of parts, that it is an OpenDocument spreadsheet. */
export function looksLikeOds(head: Uint8Array): boolean {
  const text = latin(head)
  return firstName(text) === 'mimetype' && text.startsWith(ODS, NAME_AT + 8)
}

function firstName(text: string): string {
  if (!text.startsWith(LOCAL_HEADER)) return ''
  const length = text.charCodeAt(26) + text.charCodeAt(27) * 256
  return text.slice(NAME_AT, NAME_AT + length).replaceAll('\\', '/')
}

function latin(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}
