import bold from '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf?inline'
import regular from '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf?inline'

/** Of a data URL: its bytes. */
const bytesOf = (url: string): Uint8Array =>
  Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (character) => character.charCodeAt(0))

export interface PaperFonts {
  regular: Uint8Array
  bold: Uint8Array
}
/** The fonts of papers, as on screens. This module is large: import it when a paper is written. */
export const readFonts = (): PaperFonts => ({ regular: bytesOf(regular), bold: bytesOf(bold) })
