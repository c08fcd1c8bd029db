/** What a cell with an error holds, in a binary workbook of either kind. */
const ERROR_CODES: ReadonlyMap<number, string> = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
  [0x2b, '#GETTING_DATA'],
])
export const errorCode = (value: number): string => ERROR_CODES.get(value) ?? '#ERROR'
