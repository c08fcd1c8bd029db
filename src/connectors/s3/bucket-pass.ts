import type { BucketObject } from './object-list'
import type { Cursor } from '../contract'

/** Keys that a cursor remembers, as digests of six characters: what it may hold has room for no more. */
const KEYS_KNOWN = 900
const DIGEST_CHARS = 6

/** A moment of the bucket: a change, and of several at one instant the key. */
interface ChangePosition {
  at: string
  key: string
}
const START: ChangePosition = { at: '', key: '' }
const momentOf = ({ modifiedAt, key }: BucketObject): ChangePosition => ({ at: modifiedAt, key })
const isAfter = (a: ChangePosition, b: ChangePosition): boolean => a.at > b.at || (a.at === b.at && a.key > b.key)

export const byChange = (a: BucketObject, b: BucketObject): number => (isAfter(momentOf(a), momentOf(b)) ? 1 : -1)

/** What a pass over the bucket has left to read, and how it began. */
export interface BucketPass {
  left: BucketObject[]
  /** Files that were read have changed: all are read again, and take the place of what is there. */
  reloads: boolean
  /** What changes after this moment is left to the next pass: no file is read twice in one. */
  until: ChangePosition
  /** Digests of the keys that were read. */
  known: string
  /** Files that were read. */
  files: number
}

/** FNV-1a. Two keys of one digest cost a needless reload. */
function digestOf(key: string): string {
  let hash = 2_166_136_261
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 16_777_619)
  return (hash >>> 0).toString(36).padStart(7, '0').slice(-DIGEST_CHARS)
}

function digestsIn(known: string): Set<string> {
  const digests = new Set<string>()
  for (let at = 0; at < known.length; at += DIGEST_CHARS) digests.add(known.slice(at, at + DIGEST_CHARS))
  return digests
}

const textOf = (cursor: Cursor | null, key: string): string =>
  typeof cursor?.[key] === 'string' ? String(cursor[key]) : ''
const numberOf = (cursor: Cursor | null, key: string): number =>
  typeof cursor?.[key] === 'number' ? Number(cursor[key]) : 0

/** Whether one of the files that are to be read was read before, and has changed since. */
function hasChanged(left: readonly BucketObject[], of: { objects: number; files: number; known: string }): boolean {
  if (left.length === 0) return false
  // More files than a cursor can name: one that changed is gone from those before the position.
  if (of.files > KEYS_KNOWN) return of.objects - left.length < of.files
  const digests = digestsIn(of.known)
  return left.some(({ key }) => digests.has(digestOf(key)))
}

/**
 * What is to be read now. `objects`: all there are, the oldest change first. A bucket says when an object changed and not
 * whether it is new; so the cursor remembers which ones were read.
 */
export function planBucketPass(objects: readonly BucketObject[], cursor: Cursor | null): BucketPass {
  const position = { at: textOf(cursor, 'at'), key: textOf(cursor, 'key') }
  const [files, known, isReloading] = [numberOf(cursor, 'files'), textOf(cursor, 'known'), cursor?.['reloads'] === true]
  const newest = objects.at(-1)
  const end = newest ? momentOf(newest) : START
  const asked = { at: textOf(cursor, 'untilAt'), key: textOf(cursor, 'untilKey') }
  const isUnderWay = asked.at !== ''
  const until = isUnderWay ? asked : end
  const left = objects.filter((each) => isAfter(momentOf(each), position) && !isAfter(momentOf(each), until))
  if (
    !isReloading &&
    hasChanged(left, { objects: objects.filter((each) => !isAfter(momentOf(each), until)).length, files, known })
  )
    return { left: [...objects], reloads: true, until: end, known: '', files: 0 }
  if (left.length === 0 && isUnderWay)
    return planBucketPass(objects, { ...cursor, untilAt: '', untilKey: '', reloads: false })
  return { left, reloads: isReloading, until, known, files }
}

/** Where a sync stands once a file of a pass is read; after the last one nothing of the pass is kept. */
export function cursorAfter(
  { left, reloads, until, known, files }: BucketPass,
  { modifiedAt, key }: BucketObject,
): Cursor {
  const isNamed = files + 1 <= KEYS_KNOWN
  const read = { at: modifiedAt, key, files: files + 1, known: isNamed ? known + digestOf(key) : '' }
  return left.length === 1 ? read : { ...read, untilAt: until.at, untilKey: until.key, reloads }
}
