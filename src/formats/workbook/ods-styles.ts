import { workbookTooLargeError } from './refusals'
import type { XmlTag } from './xml-scanner'

const STYLES_MAX = 100_000
const STYLE_NAME_MAX_CHARS = 200

/** A piece of a text keeps the whole text in memory; a copy keeps itself only. Names that are too long name nothing. */
function detachedCopy(name: string | undefined): string | undefined {
  if (name === undefined || name.length > STYLE_NAME_MAX_CHARS) return undefined
  const copy: string = JSON.parse(JSON.stringify(name))
  return copy
}

/** What an OpenDocument's automatic styles say of cells and sheets: durations and hidden sheets. */
export class OdsStyles {
  private readonly durationFormats = new Set<string>()
  /** Cell style → its number format. */
  private readonly formats = new Map<string, string>()
  private readonly hidden = new Set<string>()
  private current: string | undefined

  /** @throws ProductError `too_large` */
  open(tag: XmlTag): void {
    if (tag.name === 'time-style' && tag.attribute('number:truncate-on-overflow') === 'false') {
      const name = detachedCopy(tag.attribute('style:name'))
      if (name !== undefined) this.durationFormats.add(name)
    } else if (tag.name === 'table-properties' && tag.attribute('table:display') === 'false') {
      if (this.current !== undefined) this.hidden.add(this.current)
    } else if (tag.name === 'style') this.style(tag)
    if (this.durationFormats.size + this.formats.size + this.hidden.size > STYLES_MAX)
      throw workbookTooLargeError('styles', STYLES_MAX)
  }

  private style(tag: XmlTag): void {
    this.current = detachedCopy(tag.attribute('style:name'))
    const format = detachedCopy(tag.attribute('style:data-style-name'))
    if (this.current !== undefined && format !== undefined) this.formats.set(this.current, format)
  }

  isHidden(tableStyle: string): boolean {
    return this.hidden.has(tableStyle)
  }
  isDuration(cellStyle: string): boolean {
    return this.durationFormats.has(this.formats.get(cellStyle) ?? '')
  }
}
