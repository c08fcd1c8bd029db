import { foldText } from '../../shared/bot/fold-text'

const [SPACE, QUOTE, BACKTICK, LAST_ASCII] = [0x20, 0x27, 0x60, 0x7f]
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39
const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a
const isLower = (code: number): boolean => code >= 0x61 && code <= 0x7a

/** As {@link foldText}, for very many texts: most of them are plain letters. */
export function foldValue(text: string): string {
  const codes: number[] = []
  let isOpen = false
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code > LAST_ASCII || code === QUOTE || code === BACKTICK) return foldText(text)
    if (isLower(code) || isDigit(code)) codes.push(code)
    else if (isUpper(code)) codes.push(code + SPACE)
    else {
      if (isOpen) codes.push(SPACE)
      isOpen = false
      continue
    }
    isOpen = true
  }
  if (!isOpen && codes.length > 0) codes.pop()
  return String.fromCharCode(...codes)
}
