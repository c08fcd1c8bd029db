import { TOKEN_FORMATS, TOKEN_PERIODS } from '../../../../src/shared/reports/text-tokens'

export interface Completion {
  /** What the list shows. */
  label: string
  /** What takes the place of the text from `from` to the caret. */
  text: string
  from: number
}

const COMPLETIONS_MAX = 8
const HEADS = ['period', 'today']
const PARTS = [...Object.keys(TOKEN_PERIODS), 'vs:previous', 'vs:last_year', ...TOKEN_FORMATS]

/** What fits where the caret is within `{{…`; null outside of one. */
export function completionsAt(text: string, caret: number, metrics: readonly string[]): Completion[] | null {
  const before = text.slice(0, caret)
  const open = before.lastIndexOf('{{')
  if (open < 0 || before.slice(open).includes('}}') || before.slice(open).includes('\n')) return null
  const inner = before.slice(open + 2)
  const isClosed = text.slice(caret).startsWith('}}')
  const bar = inner.lastIndexOf('|')
  if (bar >= 0) {
    const typed = inner
      .slice(bar + 1)
      .trim()
      .toLowerCase()
    const used = inner.split('|').slice(1, -1)
    return PARTS.filter((part) => part.startsWith(typed) && part !== typed && !used.includes(part))
      .slice(0, COMPLETIONS_MAX)
      .map((part) => ({ label: part, text: `${part}${isClosed ? '' : '}}'}`, from: open + 3 + bar }))
  }
  const typed = inner
    .replace(/^metric\.?/, '')
    .trim()
    .toLowerCase()
  const named = metrics
    .filter((name) => name.toLowerCase().includes(typed) && name.toLowerCase() !== typed)
    .map((name) => ({ label: name, text: `metric.${name}${isClosed ? '' : '}}'}`, from: open + 2 }))
  const heads = HEADS.filter((head) => !inner.startsWith('metric') && head.startsWith(typed)).map((head) => ({
    ...{ label: head, text: `${head}${isClosed ? '' : '}}'}`, from: open + 2 },
  }))
  return [...named, ...heads].slice(0, COMPLETIONS_MAX)
}
