/** The upper half of code page 437: how names are written that do not say they are UTF-8. */
const CP437_HIGH_HALF =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The name of an entry with `/` between its parts and none before the first. */
export function decodeEntryName(bytes: Uint8Array): string {
  return decodeNameBytes(bytes).replaceAll('\\', '/').replace(/^\/+/, '')
}

/** Many programs write UTF-8 without saying so, hardly any text in another code page is UTF-8 by chance. */
function decodeNameBytes(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    let text = ''
    for (const byte of bytes) text += byte < 128 ? String.fromCharCode(byte) : CP437_HIGH_HALF.charAt(byte - 128)
    return text
  }
}

/** Whether a name leads out of the folder it is unpacked in, or could end a text where it is handed on. */
export const isPathTraversal = (name: string): boolean =>
  name.split('/').includes('..') || /^[a-z]:/i.test(name) || name.includes('\0')
