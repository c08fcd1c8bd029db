/** A text as it is set: paragraphs, headings and lists of words, some of them strong, some of them figures. */
export type Piece = { kind: 'words'; text: string; strong: boolean } | { kind: 'token'; raw: string; strong: boolean }
export type TextPart =
  | { kind: 'heading'; level: 1 | 2 | 3; pieces: Piece[] }
  | { kind: 'paragraph'; lines: Piece[][] }
  | { kind: 'list'; items: Piece[][] }

const PIECES = /(\*\*|\{\{[^{}\n]{1,200}\}\})/

/** Words between `**` are strong; one without its other half stands for itself. */
export function piecesOf(line: string): Piece[] {
  const parts = line.split(PIECES)
  const marks = parts.filter((part) => part === '**').length
  const last = marks % 2 === 1 ? parts.lastIndexOf('**') : -1
  const pieces: Piece[] = []
  let strong = false
  for (const [at, part] of parts.entries()) {
    if (part === '') continue
    if (part === '**' && at !== last) strong = !strong
    else if (part.startsWith('{{') && part.endsWith('}}')) pieces.push({ kind: 'token', raw: part, strong })
    else pieces.push({ kind: 'words', text: part, strong })
  }
  return pieces
}

export function richText(text: string): TextPart[] {
  const parts: TextPart[] = []
  let open: TextPart | null = null
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const heading = /^(#{1,3}) +(.+)$/.exec(line)
    const item = /^[-*] +(.+)$/.exec(line)
    if (line.trim() === '') open = null
    else if (heading) {
      const level = heading[1]?.length === 1 ? 1 : heading[1]?.length === 2 ? 2 : 3
      parts.push({ kind: 'heading', level, pieces: piecesOf(heading[2] ?? '') })
      open = null
    } else if (item) {
      const pieces = piecesOf(item[1] ?? '')
      if (open?.kind === 'list') open.items.push(pieces)
      else parts.push((open = { kind: 'list', items: [pieces] }))
    } else if (open?.kind === 'paragraph') open.lines.push(piecesOf(line))
    else parts.push((open = { kind: 'paragraph', lines: [piecesOf(line)] }))
  }
  return parts
}

/** A line of a text where there is no markup: on paper and in workbooks. `strong`: all of it is. */
export interface PlainLine {
  kind: 'heading' | 'item' | 'paragraph'
  text: string
  strong: boolean
}

export function plainLines(text: string): PlainLine[] {
  const line = (kind: PlainLine['kind'], pieces: readonly Piece[]): PlainLine => ({
    kind,
    text: pieces.map((piece) => (piece.kind === 'words' ? piece.text : piece.raw)).join(''),
    strong: pieces.every(({ strong }) => strong),
  })
  return richText(text).flatMap((part) => {
    if (part.kind === 'heading') return [line('heading', part.pieces)]
    if (part.kind === 'list') return part.items.map((item) => line('item', item))
    return part.lines.map((pieces) => line('paragraph', pieces))
  })
}
