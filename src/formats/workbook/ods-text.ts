import type { XmlTag } from './xml-scanner'

const SPACES_MAX = 10_000

/** Collects the text of a cell: paragraphs become lines; comments on the cell are no part of it. */
export class OdsCellText {
  private parts = ''
  private paragraphs = 0
  private depth = 0
  private ignoredDepth = 0

  get length(): number {
    return this.parts.length
  }
  begin(): void {
    this.parts = ''
    this.paragraphs = 0
    this.depth = 0
    this.ignoredDepth = 0
  }
  /** Each call answers whether the text that comes now belongs to the cell. */
  open(tag: XmlTag): boolean {
    if (tag.name === 'annotation' || tag.name === 'shapes' || tag.name === 'frame') this.ignoredDepth++
    else if (tag.name === 'p' && this.ignoredDepth === 0) {
      this.depth++
      if (this.paragraphs++ > 0) this.parts += '\n'
    } else if (this.depth > 0 && this.ignoredDepth === 0) this.sign(tag)
    return this.depth > 0 && this.ignoredDepth === 0
  }
  close(name: string): boolean {
    if (name === 'annotation' || name === 'shapes' || name === 'frame')
      this.ignoredDepth = Math.max(0, this.ignoredDepth - 1)
    else if (name === 'p' && this.ignoredDepth === 0) this.depth = Math.max(0, this.depth - 1)
    return this.depth > 0 && this.ignoredDepth === 0
  }
  add(text: string): void {
    this.parts += text.replace(/[ \t\r\n]+/g, ' ')
  }
  end(): string {
    return this.parts
  }

  private sign(tag: XmlTag): void {
    if (tag.name === 's') {
      const count = Number(tag.attribute('text:c') ?? 1)
      this.parts += ' '.repeat(Number.isInteger(count) && count > 0 ? Math.min(count, SPACES_MAX) : 1)
    } else if (tag.name === 'tab') this.parts += '\t'
    else if (tag.name === 'line-break') this.parts += '\n'
  }
}
