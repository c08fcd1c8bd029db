import { XmlScanner } from '../../formats/workbook/xml-scanner'

/** One object of a bucket. */
export interface BucketObject {
  key: string
  size: number
  /** ISO instant. */
  modifiedAt: string
}

/** The answer of ListObjectsV2; `token`: what asks for the next page. */
export function parseObjectList(text: string): { objects: BucketObject[]; token: string | null } {
  const objects: BucketObject[] = []
  let current: Record<string, string> | null = null
  let token: string | null = null
  let value = ''
  const scanner = new XmlScanner({
    wantsText: true,
    text: (piece) => {
      value += piece
    },
    open: (tag) => {
      value = ''
      if (tag.name === 'Contents') current = {}
    },
    close: (ended) => {
      if (ended === 'Contents' && current) {
        const { Key: key = '', Size: size = '0', LastModified: modifiedAt = '' } = current
        if (key !== '') objects.push({ key, size: Number(size), modifiedAt })
        current = null
      } else if (ended === 'NextContinuationToken') token = value
      else if (current) current[ended] = value
      value = ''
    },
  })
  scanner.push(text)
  scanner.end()
  return { objects, token }
}

/** Whether a key fits a pattern in which a star is any text, within one folder or across them. */
export function matchesPattern(key: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return key === pattern
  if (!key.startsWith(first)) return false
  const last = rest.at(-1) ?? ''
  let at = first.length
  for (const part of rest.slice(0, -1)) {
    const found = key.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return key.endsWith(last) && key.length - last.length >= at
}
