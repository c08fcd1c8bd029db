/**
 * Texts as they are compared: lower case, without diacritics, one space for everything that is no letter or digit. The
 * words of a question, the names of columns and the values of the warehouse's index are folded alike.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mark}+/gu, '')
    .replaceAll(/['’`´]s\b/giu, '')
    .replaceAll(/['’`´]/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, ' ')
    .trim()
