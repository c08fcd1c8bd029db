/** A piece of a note's text: plain, an address of the web, or somebody who is named. */
export type NoteSegment =
  | { kind: 'text'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'person'; text: string }

const LINK_PATTERN = /\bhttps?:\/\/[^\s<>"'`]+/gi
/** Ends a sentence rather than an address. */
const TRAILING_PUNCTUATION = /[.,;:!?)\]}]+$/

/**
 * A note's text in pieces. Only whole http and https addresses without a name or password become links; everything else
 * stays text.
 */
export function parseNote(body: string, names: readonly string[]): NoteSegment[] {
  const pieces: NoteSegment[] = []
  let from = 0
  for (const found of body.matchAll(LINK_PATTERN)) {
    const text = found[0].replace(TRAILING_PUNCTUATION, '')
    const href = safeHref(text)
    if (href === null) continue
    pieces.push(...mentionSegments(body.slice(from, found.index), names), { kind: 'link', text, href })
    from = found.index + text.length
  }
  return [...pieces, ...mentionSegments(body.slice(from), names)]
}

function safeHref(text: string): string | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url.href : null
}

/** The longest name first: “@Anna Berg” is not “@Anna”. */
function mentionSegments(text: string, names: readonly string[]): NoteSegment[] {
  if (text === '') return []
  const [name, ...others] = names.toSorted((a, b) => b.length - a.length)
  if (name === undefined) return [{ kind: 'text', text }]
  return text.split(`@${name}`).flatMap((part, at): NoteSegment[] => {
    const person: NoteSegment[] = at === 0 ? [] : [{ kind: 'person', text: `@${name}` }]
    return [...person, ...mentionSegments(part, others)]
  })
}

/** The name that is being typed after an @ before the cursor; null when none is. */
export function mentionAtCursor(text: string, cursor: number): { from: number; typed: string } | null {
  const found = /(?:^|\s)@([\p{L}\p{M}.'-]*(?: [\p{L}\p{M}.'-]*)?)$/u.exec(text.slice(0, cursor))
  const typed = found?.[1]
  return typed === undefined ? null : { from: cursor - typed.length - 1, typed }
}
