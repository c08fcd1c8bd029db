/**
 * What is wrong with a SELECT that somebody entered; null: nothing. The database itself is what holds it: it runs alone, in a
 * transaction that can write nothing. This only says so before.
 */
export function selectMistake(text: string): string | null {
  const bare = withoutTexts(text).trim().replace(/;\s*$/, '')
  if (bare === '') return 'Enter a SELECT.'
  if (bare.includes(';')) return 'Enter one statement only.'
  if (!/^(select|with)\b/i.test(bare)) return 'Enter a SELECT.'
  const word =
    /\b(insert|update|delete|merge|truncate|drop|alter|create|grant|revoke|copy|call|do|into\s+(outfile|dumpfile)|for\s+(update|share))\b/i.exec(
      bare,
    )
  return word ? 'Only a SELECT that reads is allowed.' : null
}

/** As it is put into a statement of ours. */
export const trimmedSelect = (text: string): string => text.trim().replace(/;\s*$/, '')

/** The statement without what stands in quotes and comments. */
function withoutTexts(text: string): string {
  return text.replaceAll(
    /'(?:[^'\\]|''|\\.)*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\$(\w*)\$[^]*?\$\1\$|--[^\n]*|\/\*[^]*?\*\//g,
    ' x ',
  )
}
