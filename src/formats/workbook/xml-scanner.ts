import { RECORD_MAX_CHARS } from '../../shared/limits'
import { workbookDamagedError, workbookUnsafeError } from './workbook-errors'

/** An opening tag. Valid only during the call that it is handed to. */
export interface XmlTag {
  /** Without its prefix. */
  name: string
  /** Value of an attribute by its full name; `undefined` when there is none. */
  attribute(name: string): string | undefined
  /** Value of the first attribute with this name behind any prefix. */
  local(name: string): string | undefined
}
/** What a reader of one document does at its tags. `<a/>` opens and closes. */
export interface XmlHandler {
  open(tag: XmlTag): void
  close(name: string): void
  /** Text while `wantsText`; one run may come in several pieces. */
  text(text: string): void
  wantsText: boolean
  /** Where given: kept at the line on which what is handed over begins. */
  sourceLine?: number
}

const [LF, LT, GT, SLASH, QUOTE, APOSTROPHE, COLON, EQUALS, BANG, QUESTION] = [10, 60, 62, 47, 34, 39, 58, 61, 33, 63]
const DEPTH_MAX = 256
const ENTITY_MAX_CHARS = 12
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

function decodeEntity(whole: string, name: string): string {
  const known = ENTITIES.get(name)
  if (known !== undefined) return known
  const number = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name)
  if (!number) throw workbookUnsafeError(`it defines its own entities (${whole.slice(0, 40)})`)
  const code = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16)
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
}

/** @throws ProductError for an entity that XML does not know by itself: nothing is ever looked up. */
function decodeEntities(text: string): string {
  return text.includes('&') ? text.replace(/&([^;&]{0,60});/g, decodeEntity) : text
}

/** The tag being read; its attributes are looked for only when asked. */
class TagView implements XmlTag {
  name = ''
  private raw = ''
  private from = 0
  private to = 0

  set(raw: string, at: { from: number; to: number }, name: string): void {
    this.raw = raw
    this.from = at.from
    this.to = at.to
    this.name = name
  }
  attribute(name: string): string | undefined {
    return this.find(name, false)
  }
  local(name: string): string | undefined {
    return this.find(name, true)
  }

  private find(name: string, anyPrefix: boolean): string | undefined {
    const { raw, to } = this
    let at = this.from
    while (at < to) {
      while (at < to && isSpace(raw.charCodeAt(at))) at++
      const start = at
      while (at < to && raw.charCodeAt(at) !== EQUALS && !isSpace(raw.charCodeAt(at))) at++
      const first = at - name.length
      const named =
        raw.startsWith(name, first) &&
        (first === start || (anyPrefix && first > start && raw.charCodeAt(first - 1) === COLON))
      while (at < to && raw.charCodeAt(at) !== QUOTE && raw.charCodeAt(at) !== APOSTROPHE) at++
      const close = at < to ? raw.indexOf(raw.charCodeAt(at) === QUOTE ? '"' : "'", at + 1) : -1
      if (close < 0 || close >= to) return undefined
      if (named) return decodeEntities(raw.slice(at + 1, close))
      at = close + 1
    }
    return undefined
  }
}

/**
 * A push scanner over the text of one XML document: no tree, no entities, no DOCTYPE, nothing fetched.
 * Holds one unfinished tag at most.
 */
export class XmlScanner {
  private rest = ''
  private depth = 0
  private rooted = false
  private halfLineEnd = false
  /** Of the unfinished tag: how much of it was looked through, and the quote that goes on. */
  private scannedChars = 0
  private quote = 0
  private readonly tag = new TagView()

  constructor(private readonly handler: XmlHandler) {}

  /** Whether nothing is held back of what was pushed. */
  get isBetweenTags(): boolean {
    return this.rest === '' && !this.halfLineEnd
  }

  /** @throws ProductError `file_unreadable` for what is no XML or could be an attack. */
  push(chunk: string): void {
    const lines = this.normalizeLineEnds(chunk)
    const text = this.rest === '' ? lines : this.rest + lines
    let at = 0
    while (at < text.length) {
      const next = text.charCodeAt(at) === LT ? this.markup(text, at) : this.characters(text, at)
      if (next < 0) break
      if (this.handler.sourceLine !== undefined) this.handler.sourceLine += countLines(text, at, next)
      at = next
    }
    this.rest = at === 0 ? text : text.slice(at)
    if (this.rest.length > RECORD_MAX_CHARS) throw workbookUnsafeError('a part of it never ends')
  }

  /** @throws ProductError when the document stops in the middle. */
  end(): void {
    if (this.depth !== 0 || !this.rooted || this.rest.startsWith('<'))
      throw workbookDamagedError('a part of it ends too early')
  }

  /** XML knows one line end: written ones of Windows are read as it; escaped ones stay. */
  private normalizeLineEnds(chunk: string): string {
    const text = this.halfLineEnd && chunk.startsWith('\n') ? chunk.slice(1) : chunk
    if (chunk !== '') this.halfLineEnd = chunk.endsWith('\r')
    return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  }

  /** Delivers text up to the next tag; holds back what may be half an entity. */
  private characters(text: string, at: number): number {
    const lt = text.indexOf('<', at)
    let end = lt < 0 ? text.length : lt
    if (this.handler.wantsText) {
      if (lt < 0) {
        const amp = text.indexOf('&', Math.max(at, end - ENTITY_MAX_CHARS))
        if (amp >= 0) end = amp
      }
      if (end > at) this.handler.text(decodeEntities(text.slice(at, end)))
      return lt < 0 && end === at ? -1 : end
    }
    return end
  }

  /** @returns where to go on, or -1 when the markup is not complete yet. */
  private markup(text: string, at: number): number {
    switch (text.charCodeAt(at + 1)) {
      case SLASH:
        return this.closing(text, at)
      case BANG:
        return this.declaration(text, at)
      case QUESTION:
        return indexAfter(text, '?>', at)
      default:
        return this.opening(text, at)
    }
  }

  private closing(text: string, at: number): number {
    const end = text.indexOf('>', at)
    if (end < 0) return -1
    if (--this.depth < 0) throw workbookDamagedError('its parts do not fit together')
    this.handler.close(localName(text, at + 2, end))
    return end + 1
  }

  private opening(text: string, at: number): number {
    const end = this.endOfTag(text, at)
    if (end < 0) return -1
    const empty = text.charCodeAt(end - 1) === SLASH
    const to = empty ? end - 1 : end
    let from = at + 1
    while (from < to && !isSpace(text.charCodeAt(from))) from++
    const name = localName(text, at + 1, from)
    if (name === '') throw workbookDamagedError('its parts do not fit together')
    this.rooted = true
    if (!empty && ++this.depth > DEPTH_MAX) throw workbookUnsafeError('its parts are nested too deeply')
    this.tag.set(text, { from, to }, name)
    this.handler.open(this.tag)
    if (empty) this.handler.close(name)
    return end + 1
  }

  /** Where the tag's `>` stands, outside quotes; -1 when it is not there yet. What was looked through is not again. */
  private endOfTag(text: string, from: number): number {
    let { quote } = this
    for (let at = from + Math.max(1, this.scannedChars); at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (quote !== 0) {
        if (code === quote) quote = 0
      } else if (code === GT) {
        this.scannedChars = this.quote = 0
        return at
      } else if (code === QUOTE || code === APOSTROPHE) quote = code
      else if (code === LT) throw workbookDamagedError('its parts do not fit together')
    }
    this.scannedChars = text.length - from
    this.quote = quote
    return -1
  }

  private declaration(text: string, at: number): number {
    if (text.length < at + 9) return -1
    if (text.startsWith('<!--', at)) return indexAfter(text, '-->', at + 4)
    if (!text.startsWith('<![CDATA[', at)) throw workbookUnsafeError('it holds a document type definition')
    const end = text.indexOf(']]>', at)
    if (end < 0) return -1
    if (this.handler.wantsText) this.handler.text(text.slice(at + 9, end))
    return end + 3
  }
}

function indexAfter(text: string, mark: string, at: number): number {
  const end = text.indexOf(mark, at)
  return end < 0 ? -1 : end + mark.length
}

function countLines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === LF) count++
  return count
}

function localName(text: string, from: number, to: number): string {
  let [start, end] = [from, to]
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === COLON) start = at + 1
    else if (isSpace(code)) {
      end = at
      break
    }
  }
  return text.slice(start, end)
}

/** A few characters of a sheet can stand for long texts: so many are read between two looks at what came of them. */
export const SLICE_CHARS = 1024

/** Lets others have their turn while a part is read. */
export interface ScanTurns {
  /** Awaited after every chunk of 64 kB or so. */
  eachChunk: () => Promise<void>
  /** Whether what was made of the last few characters is so much that others come first. */
  isDue?: (() => boolean) | undefined
}

/** Feeds a part of a package to a scanner, chunk by chunk, UTF-8 or UTF-16 by its byte order mark. */
export async function scanXml(bytes: AsyncIterable<Uint8Array>, handler: XmlHandler, turns?: ScanTurns): Promise<void> {
  const scanner = new XmlScanner(handler)
  let decoder: TextDecoder | null = null
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(encodingFromBom(chunk))
    const text = decoder.decode(chunk, { stream: true })
    const step = turns?.isDue ? SLICE_CHARS : Math.max(1, text.length)
    for (let at = 0; at < text.length; at += step) {
      if (turns?.isDue?.() === true) await turns.eachChunk()
      scanner.push(text.slice(at, at + step))
    }
    await turns?.eachChunk()
  }
  if (decoder) scanner.push(decoder.decode())
  scanner.end()
}

export const encodingFromBom = ([first, second]: Uint8Array): string =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
