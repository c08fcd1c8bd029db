/** The other words of the groups that a word is in, by the word (or words without spaces). */
export function otherWordsOf(groups: readonly (readonly string[])[]): (key: string) => readonly string[] {
  const byWord = new Map<string, string[]>()
  for (const group of groups)
    for (const word of group) {
      const key = word.replaceAll(' ', '')
      byWord.set(key, [...(byWord.get(key) ?? []), ...group.filter((other) => other !== word)])
    }
  return (key) => byWord.get(key) ?? []
}
