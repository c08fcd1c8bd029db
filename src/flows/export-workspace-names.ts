/** Names of the files in an export: what a file system allows, each once, whatever people called their things. */
export function uniqueFileNames(): (folder: string, name: string, extension: string) => string {
  const given = new Set<string>()
  return (folder, name, extension) => {
    const plain = safeFileName(name)
    for (let n = 1; ; n += 1) {
      const path = `${folder}/${plain}${n === 1 ? '' : ` (${n})`}${extension}`
      if (given.has(path.toLowerCase())) continue
      given.add(path.toLowerCase())
      return path
    }
  }
}

/** Reserved by Windows in any folder, with any extension. */
const RESERVED_NAMES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

function safeFileName(name: string): string {
  const plain = name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069<>:"/\\|?*]/g, '_')
    .slice(0, 100)
    .toWellFormed()
    .replace(/^[\s.]+|[\s.]+$/g, '')
  if (plain === '') return 'unnamed'
  return RESERVED_NAMES.test(plain) ? `_${plain}` : plain
}

export interface ReadmeContents {
  workspace: string
  by: string
  /** ISO instant. */
  at: string
  tables: { path: string; source: string; dataset: string; rows: number }[]
  originals: { path: string }[]
}

/** What is what, for whoever opens the archive years later. */
export const archiveReadme = ({ workspace, by, at, tables, originals }: ReadmeContents): string =>
  [
    `Everything in the workspace “${workspace}”`,
    `Exported by ${by} at ${at}.`,
    '',
    'workspace.json  Settings, members, groups, invitations and the subscription.',
    'sources.json    Data sources with their datasets, columns and the file of each dataset below.',
    'relations.json  How datasets belong together.',
    'insights.json   Insights: names, questions and charts. Datasets are named by their id, as in sources.json.',
    'metrics.json    Figures that have names here: formulas, filters and how they are shown.',
    'groupings.json  Values put together under names, by period. Each period is also a file in groupings/, as the product',
    '                writes and reads it.',
    'categories.json Where insights are put together.',
    'notes.json      Notes and comments of people on insights.',
    'insight-versions.json  What each insight was every time it was saved: the newest hundred.',
    'findings.json   What was found in figures, and what you pinned, hid or rated of it.',
    'targets.json    Targets of figures, by period.',
    'alerts.json     What is watched, and who is told. alert-log.csv is what happened to each, the oldest first.',
    'forecasts.json  What is forecast and how, with scenarios. forecast-runs.csv is what every run said of each period.',
    'rates.json      Rates between currencies that were set here, and the currency that figures are shown in.',
    'accounts.json   What the accounts of ledgers mean.',
    'yours.json      Which insights you follow, and how often you hear of them. What others follow is theirs.',
    '',
    'data/           The rows of every dataset as CSV: UTF-8, commas, a line of headings, decimal points, ISO dates.',
    '                Text that a spreadsheet could take for a formula begins with an apostrophe. Columns that were hidden',
    '                are named in sources.json and left out here.',
    ...tables.map(({ path, source, dataset, rows }) => `  ${path}: ${dataset} of ${source}, ${rows} rows`),
    '',
    'originals/      Files that the newest loads were made from, while they are kept. A table taken out of a workbook or',
    '                an archive is here as text; the first value of each of its lines is the line it had there.',
    ...(originals.length === 0 ? ['  None are kept.'] : originals.map(({ path }) => `  ${path}`)),
    '',
    'Passwords, sign-ins and links of invitations are in no export. If this archive cannot be opened to its end, the',
    'download broke off: ask for it again.',
    '',
  ].join('\r\n')
