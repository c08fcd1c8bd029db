/** So many characters of a list are taken at once. */
export const LIST_MAX_CHARS = 200_000

/** The text of a list that a spreadsheet wrote: UTF-8, else the letters of older Windows programs. */
export async function readListFile(file: Pick<File, 'arrayBuffer'>): Promise<string> {
  const bytes = await file.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
