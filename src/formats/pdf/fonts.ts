import regular from './fonts/inter-regular.ttf?inline'
import bold from './fonts/inter-semibold.ttf?inline'

/** Of a data URL: its bytes. */
const bytesOf = (url: string): Uint8Array =>
  Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (character) => character.charCodeAt(0))

export interface PaperFonts {
  regular: Uint8Array
  bold: Uint8Array
}
/** The fonts of papers, as on screens: see `fonts/README.md`. This module is large: import it when a paper is written. */
export const readFonts = (): PaperFonts => ({ regular: bytesOf(regular), bold: bytesOf(bold) })
