import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'
import { TERMS } from '../src/shared/terms'

/** Labels that a standard term has replaced: `docs/glossary.md` has it. Refused where they are the whole text. */
const LABELS =
  `Letters, Columns split by, Decimals, First row, How we read it, Figure, Split by, Shown as, Loads, Add the rows, Update and add,
  Go back to version, Relations, Computed column, Taken apart by, Only where, Only some rows, Only rows where, Each period by itself,
  Running total: this year, Period before, Year before, The last complete, Number of values, Number of different values, Smallest, Largest,
  A calculation per row, Up is good, More is better, Down is good, Less is better, What changed, What accounts for the change, Own rate,
  Weight, See the records, Rows behind, How computed, Data from, Make, The whole, When it happened, Other names, Turnover,
  Goods and materials, Staff costs, Personnel costs, Tell me when it, Limit, Over, Who is told by mail, new member, lost member, Band,
  How far ahead, Season, Leave the running period out, Draw unusual values in, Unusual, Tried on the past, Test on the past,
  How it was made, Way, Misses by, Leaning, In per cent, Repeating the last season, How well it does, Accuracy so far, In words,
  What could be done, The forecast as it is, Levels that matter, Cash floor, Mail, Mails, E-mail, Hand over, Let in again, To be paid,
  Payment missing, Undo changes, Bring back, What you do, A little about you, Result, See your insights`
    .split(',')
    .map((label) => label.trim())

/** Ways of saying things that a screen, a mail or an export never uses. */
const PHRASES = [
  /\b(anew|whoever|somebody|gone for good|all the same|per cent|e-mails?|keep it calm)\b/i,
  /\b(by itself|stands?|lies|comes)\b(?! from)/i,
  /\bgoes off\b|\bwould have gone off\b/i,
  /\b(because of|due to|driven by)\b/i,
  /\b(another look|stumbled|broke on our side|nothing is lost|that is gone)\b/i,
  /\b(likely|brought? back|left out|cannot be read)\b/i,
  /\bis no (?:amount|number|date|file|fiscal|month|longer there)\b/i,
  /^(Pick|Say|Write) /,
]

/** Texts that no reader of the product meets: reasons in code, errors of programming. */
const NOT_FOR_PEOPLE = new Set<string>([
  // why an address is public, read by who builds the house
  'says what an invitation is, to whoever holds its link',
  // a mistake in the code, thrown as TypeError
  'A map stands ready for every column that the plan groups.',
])

/** Beginnings and telling parts of sentences that shorter ones replaced. */
const REPLACED = `
  Older workbook (.xls)
  Binary workbook (.xlsb)
  Tell us your address. We send a link
  Nothing there after a minute?
  This link is not complete
  You have none yet. With one
  That is not your password.
  With two of them, losing one
  Something here that is not you?
  Keep costs in hand
  See cash ahead
  Bring in your first data
  Look around with the sample company
  The sample company is made up.
  You see how they were read
  Found by itself. Correct
  Rows that cannot be read are kept
  The character encoding.
  What should happen to the
  What is there stays. For a file
  The file breaks off or does not fit
  This kind of file is not known
  Nothing new in this file:
  Waiting for your answer
  This table stands alone
  Keep an eye on a figure
  Nothing stands out: the newest
  These figures have not been looked
  The parts of this figure do not
  The answer is cut:
  Nobody has said anything yet. Tell
  No insight is called “
  No figure has a name yet
  Say once what sales or margin
  As its columns are
  A number alone measures nothing:
  Set what each month, quarter or
  Should be at
  Nobody is told when this figure
  Choose a figure and a limit, and
  It would have gone off in
  Goes off about every second time.
  Off: nothing is checked and
  is watching now.
  What is likely to come, and how
  The history carries
  Try a decision beside the forecast
  Empty: as far back as there is
  Every run is held against the
  Its runs, its scenarios and what
  Who works in this workspace, and
  Opens insights and data and exports
  Invited before: a new mail is on
  Stands in the list twice;
  You are here alone so far
  Invitations that are open
  A full limit stops the next one
  you have what Professional gives
  A plan works at once, and what is
  The payment page was left before
  Billing has not seen a payment
  They stand on every invoice
  There are none yet. Each one is
  There is more here than the plan
  You get this because it concerns the
  Your account is to move to
  Somebody, most likely you, asked
  You get another mail when it is
  If you have paid in
  If the button does nothing,
  That e-mail and password do not
  It is gone, or not
  Some fields need another look.
  Too many tries.
  Something broke on our side. Quote
  This page stumbled
  This question is too large. Make
  An access rule needs mending
`
  .split('\n')
  .map((part) => part.trim())
  .filter((part) => part !== '')

interface Node {
  type: string
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** What a piece of the tree says, when it says anything. */
function textOf(node: Node): string | null {
  const value = 'value' in node ? node.value : null
  if (node.type === 'JSXText' || node.type === 'Literal') return typeof value === 'string' ? value : null
  if (node.type !== 'TemplateElement' || typeof value !== 'object' || value === null) return null
  return 'cooked' in value && typeof value.cooked === 'string' ? value.cooked : null
}

/** Every text of a program, from where it is written; not what is imported. */
function textsOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsOf)
  if (!isNode(node) || node.type === 'ImportDeclaration') return []
  const own = textOf(node)
  if (own !== null) return [own.replaceAll(/\s+/g, ' ').trim()]
  return Object.values(node).flatMap(textsOf)
}

/** Words that people use and the bot understands: what is said to it, not what it says. */
const UNDERSTOOD = /^src\/features\/bot\/model\/(dates|language|parse)\//
const isProduct = (path: string): boolean =>
  /\.tsx?$/.test(path) &&
  !/\.(test|fixture|d)\.tsx?$/.test(path) &&
  !path.startsWith('client/test/') &&
  !UNDERSTOOD.test(path)
const files = ['client', 'src'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .map((name) => join(room, name).replaceAll('\\', '/'))
    .filter(isProduct),
)
const texts = files.flatMap((path) => {
  const lang = path.endsWith('x') ? 'tsx' : 'ts'
  return textsOf(parseAst(readFileSync(path, 'utf8'), { lang })).map((text) => ({ path, text }))
})
/** Words for people have a space in them; names in code, keys and statements of the database do not read like them. */
const sentences = texts.filter(
  ({ text }) => text.includes(' ') && !/^(SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|AND|FROM)\b/.test(text),
)

it('finds the texts of the product at all', () => {
  expect(sentences.length).toBeGreaterThan(2_000)
})

it('labels nothing by a word that a standard term has replaced', () => {
  const replaced = new Set(LABELS)
  expect(texts.filter(({ text }) => replaced.has(text)).map(({ path, text }) => `${path}: ${text}`)).toEqual([])
})

it('says nothing in a way that nobody else does', () => {
  const odd = sentences.filter(
    ({ text }) =>
      !NOT_FOR_PEOPLE.has(text) &&
      (PHRASES.some((phrase) => phrase.test(text)) || REPLACED.some((part) => text.includes(part))),
  )
  expect(odd.map(({ path, text }) => `${path}: ${text}`)).toEqual([])
})

it('writes one kind of apostrophe: that of type', () => {
  // What stands behind a name put in begins with it.
  const straight = texts.filter(({ text }) => /\p{L}'\p{L}|^'(?:s|re|ll|ve|d)\b/u.test(text))
  expect(straight.map(({ path, text }) => `${path}: ${text}`)).toEqual([])
})

it('has every shared term in the glossary', () => {
  const glossary = readFileSync('docs/glossary.md', 'utf8').replaceAll(/\s+/g, ' ').toLowerCase()
  expect(Object.values(TERMS).filter((term) => !glossary.includes(term.toLowerCase()))).toEqual([])
})

it('shares only terms that are used in more than one place', () => {
  const code = files.map((path) => readFileSync(path, 'utf8')).join('\n')
  const uses = (term: string): number => code.match(new RegExp(`\\bTERMS\\.${term}\\b`, 'g'))?.length ?? 0
  expect(Object.keys(TERMS).filter((term) => uses(term) < 2)).toEqual([])
})
