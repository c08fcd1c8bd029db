import { z } from 'zod'
import { DESCRIPTION_MAX_CHARS, LIST_DEFAULT_SIZE, LIST_MAX_SIZE, NAME_MAX_CHARS } from './limits'

const hasControlCharacters = (text: string): boolean =>
  /[\u0000-\u001f\u007f\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(text)

/** A name a person gives: 1–80 characters after trimming, NFC, no control or direction characters. */
export const nameSchema = z
  .string()
  .transform((text) => text.normalize('NFC').trim())
  .refine((text) => text.length >= 1, { message: 'Give it a name.' })
  .refine((text) => text.length <= NAME_MAX_CHARS, { message: `At most ${NAME_MAX_CHARS} characters.` })
  .refine((text) => !hasControlCharacters(text), { message: 'Use plain letters, digits and signs.' })

/** What a person is called; asked for in other words than the name of a thing. */
export const personNameSchema = z
  .string()
  .refine((text) => text.trim() !== '', { message: 'Enter your name.', abort: true })
  .pipe(nameSchema)

export const descriptionSchema = z
  .string()
  .max(DESCRIPTION_MAX_CHARS, { message: `At most ${DESCRIPTION_MAX_CHARS} characters.` })
  .transform((text) => text.normalize('NFC').trim())

/** The form under which names are unique: case-insensitive, NFC, single spaces. */
export const nameKey = (name: string): string => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()

export const versionSchema = z.int().min(1)

/** Query of a list: `?cursor=&limit=`; each list adds its own keys with `.extend`. */
export const listQuerySchema = z.strictObject({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(LIST_MAX_SIZE).default(LIST_DEFAULT_SIZE),
})

export interface ListPage<T> {
  items: T[]
  nextCursor: string | null
}

/** “Sales copy”, then “Sales copy 2” …; a copy of a copy is the next copy. `taken`: names in the form they are unique in. */
export const copyName = (name: string, taken: ReadonlySet<string>): string =>
  freeName(name.replace(/ copy( \d+)?$/, ''), ' copy', taken)

/** A name with `tail` behind it, and a number where that is taken. */
export function freeName(name: string, tail: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n += 1) {
    const end = n === 1 ? tail : `${tail} ${n}`
    const free = `${name
      .slice(0, NAME_MAX_CHARS - end.length)
      .toWellFormed()
      .trimEnd()}${end}`
    if (!taken.has(nameKey(free))) return free
  }
}
