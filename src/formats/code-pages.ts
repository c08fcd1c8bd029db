/** Characters at 0x80–0xff of the code pages of MS-DOS. */
export const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ' +
  'áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
  '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀' +
  'αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'
export const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ' +
  'áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
  '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀' +
  'ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'

const HIGH_BYTE = /[\u0080-\u00ff]/
const ALL_HIGH_BYTES = /[\u0080-\u00ff]/g

/** What windows-1252 has at 0x80–0x9f; its five holes keep their own number. */
export const WINDOWS_1252_C1 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'
const BEYOND_LATIN1 = /[\u0100-\uffff]/
const ALL_BEYOND_LATIN1 = /[\u0100-\uffff]/g

/** Bytes as the 256 characters of the same numbers, one each. */
export function toByteString(bytes: Uint8Array): string {
  // Runtimes read this label as latin-1 or as windows-1252: both come out the same.
  const text = new TextDecoder('latin1').decode(bytes)
  if (!BEYOND_LATIN1.test(text)) return text
  return text.replace(ALL_BEYOND_LATIN1, (char) => String.fromCharCode(0x80 + WINDOWS_1252_C1.indexOf(char)))
}

/** The text of bytes (given as {@link toByteString}) by one of the tables above. */
export function decodeCodePage(bytes: string, page: string): string {
  if (!HIGH_BYTE.test(bytes)) return bytes
  return bytes.replace(ALL_HIGH_BYTES, (char) => page[char.charCodeAt(0) - 0x80] ?? char)
}
