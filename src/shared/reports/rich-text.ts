/** What a text block is written in: `# headings`, `- items` and `**bold**`; an empty line parts paragraphs. */
export interface TextSpan {
  text: string
  bold: boolean
}
export interface TextPart {
  kind: 'heading' | 'item' | 'paragraph'
  spans: TextSpan[]
}

const spansOf = (line: string): TextSpan[] =>
  line
    .split(/(\*\*[^*]+\*\*)/)
    .filter((piece) => piece !== '')
    .map((piece) =>
      /^\*\*[^*]+\*\*$/.test(piece) ? { text: piece.slice(2, -2), bold: true } : { text: piece, bold: false },
    )

/** The parts of a text in their order. A line break within a paragraph is a space. */
export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let paragraph: string[] = []
  const close = (): void => {
    if (paragraph.length > 0) parts.push({ kind: 'paragraph', spans: spansOf(paragraph.join(' ')) })
    paragraph = []
  }
  for (const line of text.split('\n').map((one) => one.trim())) {
    const heading = /^#{1,3} +(.+)$/.exec(line)?.[1]
    const item = /^[-*] +(.+)$/.exec(line)?.[1]
    if (heading === undefined && item === undefined && line !== '') {
      paragraph.push(line)
      continue
    }
    close()
    if (heading !== undefined) parts.push({ kind: 'heading', spans: spansOf(heading) })
    if (item !== undefined) parts.push({ kind: 'item', spans: spansOf(item) })
  }
  close()
  return parts
}
