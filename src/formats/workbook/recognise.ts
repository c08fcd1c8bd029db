const LOCAL_HEADER = 'PK\u0003\u0004'
const NAME_OFFSET = 30
const OLE_SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
const ODS_MIME_TYPE = 'application/vnd.oasis.opendocument.spreadsheet'
const PACKAGE_PARTS = /^(\[content_types\]\.xml$|_rels\/|docprops\/|xl\/|customxml\/|mimetype$)/i

/** The container of XLS files and of password-protected workbooks. */
export const isOleFile = (head: Uint8Array): boolean => OLE_SIGNATURE.every((byte, at) => head[at] === byte)

/** A zip whose first entry is a part of a workbook's package; also the container of older and of protected workbooks. */
export function isXlsx(head: Uint8Array): boolean {
  if (isOleFile(head)) return true
  const text = latin1Text(head)
  if (!PACKAGE_PARTS.test(firstEntryName(text)) || text.includes(ODS_MIME_TYPE)) return false
  return !/PK\u0003\u0004[^]{26}(?:word|ppt)\//.test(text)
}

/** A zip that says in its first entry, or in its list of parts, that it is an OpenDocument spreadsheet. */
export function isOds(head: Uint8Array): boolean {
  const text = latin1Text(head)
  return firstEntryName(text) === 'mimetype' && text.startsWith(ODS_MIME_TYPE, NAME_OFFSET + 8)
}

function firstEntryName(text: string): string {
  if (!text.startsWith(LOCAL_HEADER)) return ''
  const length = text.charCodeAt(26) + text.charCodeAt(27) * 256
  return text.slice(NAME_OFFSET, NAME_OFFSET + length).replaceAll('\\', '/')
}

function latin1Text(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}
