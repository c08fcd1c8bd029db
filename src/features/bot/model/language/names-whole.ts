import type { Vocabulary } from '../contract'

const letterAt = (text: string, at: number): boolean => /[\p{L}\d]/u.test(text.charAt(at))

/** Each place of a name, whatever its case, with what stands for it. */
function replaced(text: string, name: string, by: string): string {
  const lower = text.toLowerCase()
  if (lower.length !== text.length) return text
  let [done, from] = ['', 0]
  for (let at = lower.indexOf(name); at !== -1; at = lower.indexOf(name, at + name.length)) {
    if (letterAt(text, at - 1) || letterAt(text, at + name.length)) continue
    done += `${text.slice(from, at)}${by}`
    from = at + name.length
  }
  return `${done}${text.slice(from)}`
}

/** "Belopp exkl. moms by month": a full stop within a name, as of an abbreviation, ends no sentence. */
export function withNamesWhole(
  question: string,
  { datasets, metrics }: Pick<Vocabulary, 'datasets' | 'metrics'>,
): string {
  if (!question.includes('.')) return question
  const labels = datasets.flatMap(({ name, columns }) => [name, ...columns.map(({ label }) => label)])
  const names = [...new Set([...metrics.map(({ name }) => name), ...labels].map((name) => name.trim().toLowerCase()))]
  return names
    .filter((name) => /\p{L}\.\s*\S/u.test(name))
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, name) => replaced(text, name, name.replaceAll(/\.\s*/g, ' ').trim()), question)
}
