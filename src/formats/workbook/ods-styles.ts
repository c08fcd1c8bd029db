import { tooLarge } from './refusals'
import type { XmlTag } from './xml-scanner'

const STYLES_MAX = 100_000

/** What an OpenDocument's automatic styles say of cells and sheets: durations and hidden sheets. */
export class OdsStyles {
  private readonly durationFormats = new Set<string>()
  /** Cell style → its number format. */
  private readonly formats = new Map<string, string>()
  private readonly hidden = new Set<string>()
  private current = ''

  open(tag: XmlTag): void {
    const name = tag.attribute('style:name')
    if (tag.name === 'time-style' && tag.attribute('number:truncate-on-overflow') === 'false')
      this.durationFormats.add(name ?? '')
    else if (tag.name === 'table-properties' && tag.attribute('table:display') === 'false')
      this.hidden.add(this.current)
    else if (tag.name === 'style' && name !== undefined) {
      this.current = name
      const format = tag.attribute('style:data-style-name')
      if (this.formats.size >= STYLES_MAX) throw tooLarge('styles', STYLES_MAX)
      if (format !== undefined) this.formats.set(name, format)
    }
  }

  isHidden(tableStyle: string): boolean {
    return this.hidden.has(tableStyle)
  }
  isDuration(cellStyle: string): boolean {
    return this.durationFormats.has(this.formats.get(cellStyle) ?? '')
  }
}
